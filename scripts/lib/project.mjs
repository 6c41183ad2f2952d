// What every script of the project shares. Plain JavaScript without dependencies: these files run
// on the Node of the machine, before anything is installed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Prints one plain sentence about what is going on. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/** Says it and ends the process: nothing more can be done. */
export function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** "4 s", "1 min 10 s". */
export function duration(milliseconds) {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The file's text, or null where there is none. */
export function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The file's JSON, or null where there is none or half of one. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Path of the script behind a package's command, to be run with the Node of our choice. */
export function programOf(packageName, command) {
  const folder = join(projectRoot, "node_modules", packageName);
  const { bin } = readJson(join(folder, "package.json")) ?? {};
  return join(folder, typeof bin === "string" ? bin : (bin?.[command] ?? command));
}

export function hashText(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** One hash over files and folders of the project, their names included; tests are in no product. */
export function hashTrees(paths) {
  const hash = createHash("sha256");
  for (const path of paths) addTree(hash, path);
  return hash.digest("hex");
}

function addTree(hash, path) {
  const full = join(projectRoot, path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isDirectory()) {
    for (const name of readdirSync(full).sort()) addTree(hash, join(path, name));
    return;
  }
  if (/\.test\.tsx?$/.test(path)) return;
  const content = readFileSync(full);
  hash.update(`${path}\0${content.length}\0`).update(content);
}
