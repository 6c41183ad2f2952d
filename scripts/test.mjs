// npm test: types, lint, server tests on the embedded PostgreSQL and on the machine's, the build,
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
import { PARTS, sum } from "./lib/test-parts.mjs";

const words = process.argv.slice(2);
const filters = words.filter((word) => !Object.hasOwn(PARTS, word));
const named = Object.keys(PARTS).filter((part) => words.includes(part));
const parts = named.length > 0 ? named : Object.keys(PARTS);

const temporary = mkdtempSync(join(tmpdir(), "postcard-"));
// Tests that act as another user must be able to pass through, not to look around.
chmodSync(temporary, 0o711);
process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

const results = [];
for (const part of parts) results.push({ part, ...(await run(part)) });

say("");
for (const { part, passed, failed, skipped, took } of results) {
  say(`${part.padEnd(9)} ${count({ passed, failed, skipped })} (${duration(took)})`);
}
const total = sum(results);
say(count(total));
process.exit(total.failed > 0 ? 1 : 0);

async function run(part) {
  const started = Date.now();
  say(`\n— ${part}`);
  const folder = join(temporary, part);
  mkdirSync(folder, { mode: 0o711 });
  let result;
  try {
    await ensureInstalled({ dev: true });
    const node = findNode();
    result = await PARTS[part]({ node, env: environment(node, folder), folder, filters });
  } catch (error) {
    say(error.message);
    result = { passed: 0, failed: 1, skipped: 0 };
  }
  return { ...result, took: Date.now() - started };
}

/** Nothing of the settings of whoever runs the tests; every temporary file where we remove it. */
function environment(node, folder) {
  const { PATH, HOME, LANG, USER, TEST_DATABASE_URL, DISPLAY } = process.env;
  const path = `${dirname(node)}${delimiter}${PATH}`;
  const kept = { HOME, LANG, USER, TEST_DATABASE_URL, DISPLAY };
  const given = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), PATH: path, TMPDIR: folder, FORCE_COLOR: "0" };
}

function count({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
