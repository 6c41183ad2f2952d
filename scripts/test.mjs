// npm test: types, lint, the build, server tests on the embedded PostgreSQL and on the machine's,
// people's stories in Chromium. `npm test -- server stories` runs these parts alone; words that
// name no part go to the test runner (`npm test -- server migrate`).
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { endChildren } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { duration, say } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";
import { filteredParts, knownParts, silentParts, sum, whole } from "./lib/test-parts.mjs";

const words = process.argv.slice(2);
const filters = words.filter((word) => !Object.hasOwn(knownParts, word));
const named = Object.keys(knownParts).filter((part) => words.includes(part));
const parts = named.length > 0 ? named : whole;

const temporary = mkdtempSync(join(tmpdir(), "postcard-"));
// Tests that act as another user must be able to pass through, not to look around.
chmodSync(temporary, 0o711);
process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

const results = [];
for (const beside of sideBySide(parts)) results.push(...(await runBeside(beside)));

say("");
for (const { part, passed, failed, skipped, took } of results) {
  say(`${part.padEnd(9)} ${count({ passed, failed, skipped })} (${duration(took)})`);
}
const failures = results.flatMap((result) => result.failures ?? []);
if (failures.length > 0) say(`Failed:\n  ${failures.join("\n  ")}`);
const retried = results.flatMap((result) => result.retried ?? []);
if (retried.length > 0) say(`Passed only when tried again:\n  ${retried.join("\n  ")}`);
const total = sum(results);
say(count(total));
const chosen = sum(results.filter(({ part }) => filteredParts.includes(part)));
// What ran nothing proved nothing: a word may be misspelt.
const missed = filters.length > 0 && chosen.passed + chosen.failed + chosen.skipped === 0;
if (missed) say(`No test has ${filters.join(" or ")} in its path.`);
process.exit(total.failed > 0 || missed ? 1 : 0);

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
  return Promise.all(beside.map(async (part) => ({ part, ...(await run(part)) })));
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
 * Nothing of the settings of whoever runs the tests; every temporary file where we remove it. What
 * Node compiles is kept for the run: most processes of it load the same few hundred modules.
 */
function environment(node, folder) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const kept = ["HOME", "LANG", "USER", "DISPLAY"];
  const chosen = ["TEST_DATABASE_URL", "TEST_IMAGE_STORE", "MASTODON_SCHEMA"];
  const given = [...kept, ...chosen]
    .map((name) => [name, process.env[name]])
    .filter(([, value]) => value !== undefined);
  const compiled = { NODE_COMPILE_CACHE: join(temporary, "compiled") };
  return {
    ...Object.fromEntries(given),
    ...compiled,
    PATH: path,
    TMPDIR: folder,
    FORCE_COLOR: "0",
  };
}

function count({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
