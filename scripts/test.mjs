// npm test: types, lint, the build, server tests on the embedded PostgreSQL and, in Chromium, the
// stories that the specification names. `npm run test:all` (the word `all`): everything there is.
// `npm test -- server stories` runs these parts alone; words that name no part go to the test
// runner, which leaves out nothing of the files they choose (`npm test -- server migrate`).
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { endChildren } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { duration, say } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";
import { childSeconds } from "./lib/child-seconds.mjs";
import { beginGreen, writeGreen } from "./lib/test-green.mjs";
import { filteredParts, knownParts, silentParts, sum, usual, whole } from "./lib/test-parts.mjs";

const all = process.argv[2] === "all";
const words = process.argv.slice(all ? 3 : 2);
const filters = words.filter((word) => !Object.hasOwn(knownParts, word));
const named = Object.keys(knownParts).filter((part) => words.includes(part));
const parts = named.length > 0 ? named : all ? whole : usual;

const temporary = mkdtempSync(join(tmpdir(), "postcard-"));
// Tests that act as another user must be able to pass through, not to look around.
chmodSync(temporary, 0o711);
process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

/** Processor seconds of the parts that ran side by side; none where the system does not report them. */
const costs = [];
const tree = words.length === 0 ? beginGreen() : null;
const results = [];
for (const beside of sideBySide(parts)) results.push(...(await runBeside(beside)));

say("");
for (const { part, passed, failed, skipped, took } of results) {
  say(`${part.padEnd(9)} ${count({ passed, failed, skipped })} (${duration(took)})`);
}
if (costs.length > 0) {
  const seconds = costs.reduce((total, cost) => total + cost.seconds, 0);
  const each = costs.map((cost) => `${cost.parts} ${cost.seconds}`);
  say(`Processor seconds: ${seconds} (${each.join(", ")})`);
}
list("Failed", "failures");
list("Left out of this run", "left");
list("Passed only when tried again, which is a fault as well", "retried");
const total = sum(results);
const chosen = sum(results.filter(({ part }) => filteredParts.includes(part)));
// What ran nothing proved nothing: a word may be misspelt.
const missed = filters.length > 0 && chosen.passed + chosen.failed + chosen.skipped === 0;
if (missed) say(`No test has ${filters.join(" or ")} in its path.`);
const steady = results.every(({ retried = [] }) => retried.length === 0);
if (tree && total.failed === 0 && steady) {
  writeGreen(tree, { command: all ? "npm run test:all" : "npm test", ...total, costs });
}
say(count(total));
process.exit(total.failed > 0 || missed ? 1 : 0);

function list(heading, key) {
  const names = results.flatMap((result) => result[key] ?? []);
  if (names.length > 0) say(`${heading}:\n  ${names.join("\n  ")}`);
}

/** What says nothing unless it fails runs at once; the others show how far they are, in turn. */
function sideBySide(wanted) {
  const silent = wanted.filter((part) => silentParts.includes(part));
  const others = wanted.filter((part) => !silentParts.includes(part)).map((part) => [part]);
  return silent.length > 0 ? [silent, ...others] : others;
}

async function runBeside(beside) {
  say(`\n— ${beside.join(", ")}`);
  try {
    await ensureInstalled({ dev: true });
  } catch (error) {
    say(error.message);
    return beside.map((part) => ({ part, passed: 0, failed: 1, skipped: 0, took: 0 }));
  }
  const before = childSeconds();
  const ran = await Promise.all(beside.map(async (part) => ({ part, ...(await run(part)) })));
  if (before !== null) {
    costs.push({ parts: beside.join("+"), seconds: Math.round(childSeconds() - before) });
  }
  return ran;
}

async function run(part) {
  const started = Date.now();
  const folder = join(temporary, part);
  mkdirSync(folder, { mode: 0o711 });
  let result;
  try {
    const node = findNode();
    result = await knownParts[part]({ node, env: environment(node, folder), folder, filters });
  } catch (error) {
    say(error.message);
    result = { passed: 0, failed: 1, skipped: 0 };
  }
  return { ...result, took: Date.now() - started };
}

/**
 * None of the settings of the shell that runs the tests; every temporary file where we remove it. What
 * Node compiles is cached for the run: most processes of it load the same few hundred modules.
 */
function environment(node, folder) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  // Behind a proxy with a certificate of its own, npm reaches the registry only with it.
  const kept = ["HOME", "LANG", "USER", "DISPLAY", "NODE_EXTRA_CA_CERTS"];
  const chosen = [
    "TEST_DATABASE_URL",
    "TEST_IMAGE_STORE",
    "TEST_PGBOUNCER",
    "MASTODON_SCHEMA",
    "ELK_BUILD",
    "PHANPY_BUILD",
    "POSTCARD_KILLS",
  ];
  const given = [...kept, ...chosen]
    .map((name) => [name, process.env[name]])
    .filter(([, value]) => value !== undefined);
  const compiled = { NODE_COMPILE_CACHE: join(temporary, "compiled") };
  return {
    ...Object.fromEntries(given),
    ...compiled,
    // What words choose is run whole: only a run without any leaves something to test:all.
    ...(all || filters.length > 0 ? { TEST_ALL: "1" } : {}),
    PATH: path,
    TMPDIR: folder,
    FORCE_COLOR: "0",
  };
}

function count({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
