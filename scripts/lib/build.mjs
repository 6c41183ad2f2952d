import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./children.mjs";
import { alone, sharedWith } from "./lock.mjs";
import { precompress } from "./precompress.mjs";
import { duration, hashTrees, programOf, readJson, projectRoot, say } from "./project.mjs";

const stampFile = join(projectRoot, "build", "stamp.json");

/** Whatever the built screens are made of. */
const sourcePaths = [
  "app",
  "shared",
  "public",
  "vite.config.ts",
  "vite.icons.ts",
  "react-router.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/**
 * Builds the screens where what they are made of has changed. `node`: the Node that builds.
 * Throws an Error with the build's own words.
 */
export async function ensureBuilt(node) {
  if (isBuilt()) return;
  await alone(async () => {
    if (!isBuilt()) await build(node);
  });
}

function isBuilt() {
  const stamp = readJson(stampFile);
  return stamp !== null && stamp.sources === hashTrees(sourcePaths);
}

async function build(node) {
  const started = Date.now();
  say("Building the screens. This happens once after each change of them.");
  rmSync(stampFile, { force: true });
  const sources = hashTrees(sourcePaths);
  const tool = programOf("@react-router/dev", "react-router");
  const { code, output } = await runToEnd(node, [tool, "build"], {
    cwd: projectRoot,
    onStart: sharedWith,
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
  });
  if (code !== 0) throw new Error(`Building the screens failed:\n${output.trim()}`);
  precompress(join(projectRoot, "build", "client"));
  writeFileSync(stampFile, JSON.stringify({ sources }));
  say(`Built in ${duration(Date.now() - started)}.`);
}
