import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./children.mjs";
import { alone, sharedWith } from "./lock.mjs";
import { duration, hashText, readJson, readText, projectRoot, say } from "./project.mjs";

const lockfile = join(projectRoot, "package-lock.json");
/** npm writes this one last, so an installation that was interrupted has none. */
const installed = join(projectRoot, "node_modules", ".package-lock.json");
const stampFile = join(projectRoot, "node_modules", ".postcard-installed.json");

/**
 * Makes node_modules what the lockfile says; with the tools of development when `dev`.
 * Throws an Error with one sentence.
 */
export async function ensureInstalled({ dev }) {
  if (isInstalled(dev)) return;
  await alone(async () => {
    if (!isInstalled(dev)) await install(dev || hasDev());
  });
}

function isInstalled(dev) {
  const state = currentState();
  const stamp = readJson(stampFile);
  const same = stamp && Object.entries(state).every(([key, value]) => stamp[key] === value);
  if (same) return stamp.dev || !dev;
  if (!matchesLockfile(dev)) return false;
  // Installed by hand (npm ci): as good as ours.
  writeStamp(matchesLockfile(true));
  return true;
}

function currentState() {
  return {
    lockfile: hashText(readText(lockfile) ?? ""),
    installed: hashText(readText(installed) ?? ""),
    machine: `${process.platform}-${process.arch}`,
  };
}

function hasDev() {
  return readJson(stampFile)?.dev === true;
}

/** Whether every package that the lockfile asks for is there in its version. */
function matchesLockfile(dev) {
  const wanted = readJson(lockfile)?.packages;
  const present = readJson(installed)?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional) return true;
    if (entry.dev && !dev) return true;
    return present[path]?.version === entry.version && existsSync(join(projectRoot, path));
  });
}

async function install(dev) {
  const started = Date.now();
  say("Installing what Postcard needs. This happens once and takes a minute or two.");
  const patience = setInterval(
    () => say(`Still installing (${duration(Date.now() - started)}).`),
    15_000,
  );
  // Gone before npm begins: an installation killed halfway must not look whole.
  rmSync(stampFile, { force: true });
  const { code, output } = await npm([
    "ci",
    dev ? "--include=dev" : "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
  ]);
  clearInterval(patience);
  if (code !== 0) {
    throw new Error(`Installing failed. Is this machine online? npm says: ${tidy(output)}`);
  }
  writeStamp(dev);
  say(`Installed in ${duration(Date.now() - started)}.`);
}

function npm(args) {
  const options = { cwd: projectRoot, onStart: sharedWith };
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (!script?.endsWith("npm-cli.js")) return runToEnd("npm", args, options);
  // Not with a Node from node_modules, which npm is about to empty.
  const outside = node && !node.startsWith(projectRoot) ? node : process.execPath;
  return runToEnd(outside, [script, ...args], options);
}

function writeStamp(dev) {
  try {
    writeFileSync(stampFile, JSON.stringify({ ...currentState(), dev }));
  } catch {
    // Installed by another user: the look at the lockfile is repeated at each start, that is all.
  }
}

/** npm's complaint on one line, without the addresses in it. */
function tidy(output) {
  const lines = output
    .replace(/https?:\/\/\S+/g, "the registry")
    .replace(/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT) \S+/g, "$1")
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!|warn)\s*/, "").trim());
  const telling = lines.filter((line) => line !== "" && !/complete log|\.log$/.test(line));
  return telling.slice(0, 4).join("; ") || "nothing";
}
