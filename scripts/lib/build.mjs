import { cpSync, existsSync, readdirSync } from "node:fs";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./children.mjs";
import { alone, sharedWith } from "./lock.mjs";
import { precompress } from "./precompress.mjs";
import { duration, hashTrees, programOf, readJson, projectRoot, say } from "./project.mjs";

const built = join(projectRoot, "build");
const stampFile = join(built, "stamp.json");
const assets = join("client", "assets");

/** Whatever the built screens are made of. */
const sourcePaths = [
  "app",
  "shared",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/**
 * Builds the screens where what they are made of has changed. `node`: the Node that builds.
 * `whileServing`: a server goes on with the former build, whose files stay until the new ones are there.
 * Throws an Error with the build's own words.
 */
export async function ensureBuilt(node, { whileServing = false } = {}) {
  if (isBuilt()) return;
  await alone(async () => {
    if (!isBuilt()) await build(node, whileServing);
  });
}

function isBuilt() {
  const stamp = readJson(stampFile);
  return stamp !== null && stamp.sources === hashTrees(sourcePaths);
}

async function build(node, whileServing) {
  const started = Date.now();
  say("Building the screens. This happens once after each change of them.");
  const former = readJson(stampFile);
  rmSync(stampFile, { force: true });
  const into = whileServing ? join("build", "next") : "build";
  const sources = hashTrees(sourcePaths);
  const tool = programOf("@react-router/dev", "react-router");
  const { code, output } = await runToEnd(node, [tool, "build"], {
    cwd: projectRoot,
    onStart: sharedWith,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NO_COLOR: "1",
      POSTCARD_BUILD_INTO: into,
    },
  });
  if (code !== 0) throw new Error(`Building the screens failed:\n${output.trim()}`);
  precompress(join(projectRoot, into, "client"));
  const files = namesIn(join(projectRoot, into, assets));
  if (whileServing)
    takeOver(join(projectRoot, into), former?.files ?? namesIn(join(built, assets)));
  writeFileSync(stampFile, JSON.stringify({ sources, files }));
  say(`Built in ${duration(Date.now() - started)}.`);
}

/** Puts a build in place of the one that is served; `kept` are the files that pages of that one name. */
function takeOver(next, kept) {
  const present = new Set(namesIn(join(next, assets)));
  for (const name of kept) {
    const from = join(built, assets, name);
    if (!present.has(name) && existsSync(from)) cpSync(from, join(next, assets, name));
  }
  for (const part of ["client", "server"]) {
    renameSync(join(built, part), join(next, `former-${part}`));
    renameSync(join(next, part), join(built, part));
  }
  rmSync(next, { recursive: true });
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
