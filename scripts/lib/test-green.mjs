// test-results/green: which commit a whole run found nothing wrong with.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "./project.mjs";

const file = join(projectRoot, "test-results", "green");

/** The commit that is tried: { commit, tree }; null where files are other than in it. Forgets the last run. */
export function beginGreen() {
  rmSync(file, { force: true });
  return cleanTree();
}

/** Notes that all went well, if nothing changed meanwhile. */
export function writeGreen(before, run) {
  const now = cleanTree();
  if (now?.commit !== before.commit) return;
  mkdirSync(dirname(file), { recursive: true });
  const time = new Date().toISOString();
  writeFileSync(file, `${JSON.stringify({ ...now, time, ...run }, null, 2)}\n`);
}

function cleanTree() {
  const [status, commit, tree] = [
    ["status", "--porcelain"],
    ["rev-parse", "HEAD"],
    ["rev-parse", "HEAD^{tree}"],
  ].map((words) => spawnSync("git", words, { cwd: projectRoot, encoding: "utf8" }));
  if (status.status !== 0 || status.stdout !== "" || tree.status !== 0) return null;
  return { commit: commit.stdout.trim(), tree: tree.stdout.trim() };
}
