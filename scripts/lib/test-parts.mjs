// The parts of npm test. Each takes what it needs as one object and returns what it counted:
// { passed, failed, skipped }, and what was left out, by name.
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBuilt } from "./build.mjs";
import { pseudoLanguage } from "./languages.mjs";
import { ensureChromium } from "./chromium.mjs";
import { runToEnd, start } from "./children.mjs";
import { findSystemPostgres } from "./system-postgres.mjs";
import { programOf, readJson, readText, projectRoot, say } from "./project.mjs";
import { startTestServer } from "./test-server.mjs";

export const knownParts = { types, lint, build, server, postgres, s3, faults, clients, stories };

/** What `npm test` runs when no part is named. */
export const usual = ["types", "lint", "build", "server", "stories"];

/** What `npm run test:all` runs: everything there is. */
export const whole = Object.keys(knownParts);

/** Parts that words which name no part choose files of. */
export const filteredParts = ["server", "postgres", "s3", "faults", "clients", "stories"];

/** All, and the one by which one sees what is no message. */
const testedLanguages = ["de", "fr", "ar", pseudoLanguage];

/** Parts that speak only of what is wrong. */
export const silentParts = ["types", "lint", "build"];

/** On a busy machine: what passes when it is tried again is named, not failed. */
const retries = 2;

let routeTypes;

/** Writes the types of the screens' addresses anew, once a run: types and lint read them at the same time. */
function writeRouteTypes({ node, env }) {
  const words = [programOf("@react-router/dev", "react-router"), "typegen"];
  routeTypes ??= runToEnd(node, words, { cwd: projectRoot, env });
  return routeTypes;
}

async function types({ node, env }) {
  const routes = await writeRouteTypes({ node, env });
  if (routes.code !== 0) return resultOf(routes);
  // Two projects: what runs in a browser, and what never does and knows no document. One checker each:
  // several read a file's types several times.
  const check = async (project) => {
    const words = [programOf("typescript", "tsc"), "--project", project, "--checkers", "1"];
    return resultOf(await runToEnd(node, words, { cwd: projectRoot, env }));
  };
  return sum(await Promise.all(["tsconfig.json", "server/tsconfig.json"].map(check)));
}

async function lint({ node, env }) {
  await writeRouteTypes({ node, env });
  const tools = [
    [programOf("oxlint", "oxlint")],
    [programOf("oxlint", "oxlint"), "--type-aware", "--config", ".oxlint-types.json"],
    // What it found well formatted is not read again.
    [programOf("prettier", "prettier"), "--check", "--cache", "--cache-strategy", "content", "."],
    [programOf("knip", "knip")],
  ];
  const run = async (words) => resultOf(await runToEnd(node, words, { cwd: projectRoot, env }));
  return sum(await Promise.all(tools.map(run)));
}

async function server({ node, env, folder, filters }) {
  // Some of these tests start the real server, screens included.
  await ensureBuilt(node, { languages: testedLanguages });
  return vitest({ node, env, folder, filters });
}

/** The server tests once more, on the PostgreSQL that is installed on this machine. */
async function postgres({ node, env, folder, filters }) {
  const found = findSystemPostgres();
  if (!found) {
    return {
      ...skippedResult("the server tests on a PostgreSQL 15 or newer of this machine"),
      skipped: 0,
    };
  }
  say(`PostgreSQL ${found.version} of this machine.`);
  return vitest({ node, env: { ...env, TEST_POSTGRES_BIN: found.bin }, folder, filters });
}

/** The server tests once more, with every image in a bucket. */
async function s3({ node, env, folder, filters }) {
  await ensureBuilt(node, { languages: testedLanguages });
  return vitest({ node, env: { ...env, TEST_IMAGE_STORE: "s3" }, folder, filters });
}

/** The fault programme with few kills of each kind (`npm run faults` has fifty): a fault is a test. */
async function faults({ node, env, folder, filters }) {
  await ensureBuilt(node);
  const report = join(folder, "faults.json");
  const size = env.TEST_ALL ? ["--kills", "5"] : ["--short"];
  const words = [join(projectRoot, "faults", "run.ts"), ...size, "--report", report, ...filters];
  const code = await watched(node, words, env);
  const results = readJson(report) ?? [];
  const ran = results.filter(({ left }) => left === undefined);
  const bad = ran.filter((result) => result.bad).map(({ fault }) => `faults ${fault}`);
  return {
    passed: ran.length - bad.length,
    failed: code === 0 ? 0 : Math.max(1, bad.length),
    skipped: results.length - ran.length,
    left: results
      .filter(({ left }) => left !== undefined)
      .map(({ fault, left }) => `faults ${fault}: ${left}`),
    failures: bad,
  };
}

/** Clients that others wrote (docs/clients.md), those of them that pass: each is a test. */
async function clients({ node, env: given, filters }) {
  await ensureBuilt(node);
  const env = { ...given, CHROMIUM_PATH: await ensureChromium(node) };
  const names = ["mastodon-py", "phanpy", "elk"].filter(
    (name) => filters.length === 0 || filters.some((word) => `e2e/clients/${name}`.includes(word)),
  );
  const results = [];
  for (const name of names) {
    const words = [join(projectRoot, "e2e", "clients", `${name}.ts`)];
    const { code, output } = await runToEnd(node, words, { cwd: projectRoot, env });
    const [, absent] = / was not run: (.*)/.exec(output) ?? [];
    if (code !== 0) say(output.trim());
    results.push(absent ? skippedResult(`${name}: ${absent}`) : resultOf({ code, output: "" }));
  }
  return { ...sum(results), left: results.flatMap(({ left = [] }) => left) };
}

async function build({ node }) {
  await ensureBuilt(node, { languages: testedLanguages });
  return { passed: 1, failed: 0, skipped: 0 };
}

/** People's stories in a real Chromium, against a server of their own. */
async function stories({ node, env, folder, filters }) {
  await ensureBuilt(node, { languages: testedLanguages });
  const chromium = await ensureChromium(node);
  const server = await startTestServer({ node, folder, env });
  const report = join(folder, "stories.json");
  try {
    const code = await watched(
      node,
      [
        programOf("@playwright/test", "playwright"),
        "test",
        "--pass-with-no-tests",
        `--retries=${retries}`,
        ...filters,
      ],
      {
        ...env,
        POSTCARD_URL: server.url,
        POSTCARD_DATA_DIR: server.dataDir,
        POSTCARD_DATABASE_URL: server.databaseUrl,
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        STORIES_OUTPUT: join(folder, "stories"),
      },
    );
    const { stats = {}, suites = [] } = readJson(report) ?? {};
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats;
    if (code !== 0) say(readText(server.logFile)?.trim() || "The server logged nothing unusual.");
    return {
      passed: expected + flaky,
      failed: code === 0 ? unexpected : Math.max(1, unexpected),
      skipped,
      left: specsThat("skipped", suites),
      retried: specsThat("flaky", suites),
      failures: specsThat("unexpected", suites),
    };
  } finally {
    await server.stop();
  }
}

async function vitest({ node, env, folder, filters }) {
  mkdirSync(folder, { recursive: true });
  const report = join(folder, "vitest.json");
  const retried = join(folder, "retried.json");
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    "--reporter=scripts/test/retried-reporter.ts",
  ];
  const code = await watched(
    node,
    [
      programOf("vitest", "vitest"),
      "run",
      "--passWithNoTests",
      `--retry=${retries}`,
      ...reporters,
      ...filters,
    ],
    { ...env, RETRIED_TESTS: retried },
  );
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    testResults = [],
  } = readJson(report) ?? {};
  // A file that cannot even be loaded fails the run without a failed test.
  const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
  return {
    passed: numPassedTests,
    failed,
    skipped: numPendingTests,
    left: leftOutOf(testResults),
    retried: readJson(retried) ?? [],
    failures: failuresOf(testResults),
  };
}

/** The names of Playwright's tests of this status, of every file and group. */
function specsThat(wanted, suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === wanted))
      .map(({ file, line, title, tests }) => `${file}:${line} ${title}${firstErrorOf(tests)}`),
    ...specsThat(wanted, inner),
  ]);
}

/** What Playwright says of the first try that failed, without its colours. */
function firstErrorOf(tests) {
  const [first] = tests.flatMap(({ results }) => results.flatMap(({ errors = [] }) => errors));
  return first ? `: ${stripVTControlCharacters(first.message ?? "")}` : "";
}

/** The names of Vitest's tests that failed each time, and of files that could not be loaded. */
function failuresOf(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(projectRoot, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (status === "failed" && failed.length === 0) return [`${file} ${message.split("\n")[0]}`];
    return failed.map(({ fullName, failureMessages: [why = ""] }) =>
      [file, fullName, why.split("\n")[0]].join(" "),
    );
  });
}

/** Files of Vitest with tests that this machine cannot run. */
function leftOutOf(files) {
  return files.flatMap(({ name, assertionResults }) => {
    const count = assertionResults.filter(({ status }) => status === "skipped").length;
    return count === 0 ? [] : [`${relative(projectRoot, name)} (${count})`];
  });
}

/** Runs a program in front of everybody; resolves with its exit code. */
function watched(node, words, env) {
  return new Promise((resolve) => {
    const child = start(node, words, {
      cwd: projectRoot,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function skippedResult(name) {
  return { passed: 0, failed: 0, skipped: 1, left: [name] };
}

/** A tool that passes has nothing to say. */
function resultOf({ code, output }) {
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  say(output.trim());
  return { passed: 0, failed: 1, skipped: 0 };
}

export function sum(results) {
  const add = (key) => results.reduce((total, result) => total + result[key], 0);
  return { passed: add("passed"), failed: add("failed"), skipped: add("skipped") };
}
