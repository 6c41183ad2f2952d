import {
  accessSync,
  appendFileSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readText, projectRoot, say } from "./project.mjs";

// In build/, which npm leaves alone when it empties node_modules.
const folder = join(projectRoot, "build");
const file = join(folder, "busy.lock");

/**
 * Runs `work` while no other script of this project installs or builds.
 * Throws an Error with one sentence where this user may not write.
 */
export async function alone(work) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (!error.code) throw error;
    throw new Error(
      `Something must be installed or built, but this user may not write in ${projectRoot}: ` +
        "start Postcard once as the user who owns that folder.",
      { cause: error },
    );
  }
  const us = identity(process.pid);
  let announced = false;
  while (!(await take(us))) {
    if (!announced) say("Another start is installing or building here: waiting for it.");
    announced = true;
    await sleep(500);
  }
  process.once("exit", leave);
  try {
    return await work();
  } finally {
    process.removeListener("exit", leave);
    leave();
  }
}

/**
 * Says that a program works for the holder. Should we be killed, the next start waits for that
 * program too, instead of installing into a folder that an orphan still writes.
 */
export function sharedWith(pid) {
  if (pid) appendFileSync(file, `\n${identity(pid)}`);
}

async function take(us) {
  try {
    writeFileSync(file, us, { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const holders = (readText(file) ?? "").split("\n");
    if (holders.some((holder) => isAlive(holder))) return false;
    // Abandoned. Renaming lets only one of several waiters take it away.
    const away = `${file}.${process.pid}`;
    try {
      renameSync(file, away);
      rmSync(away);
    } catch {
      // Another waiter was faster.
    }
    return take(us);
  }
  // A waiter that had found the file abandoned just before may have taken ours away.
  await sleep(50);
  return readText(file)?.split("\n")[0] === us;
}

function leave() {
  rmSync(file, { force: true });
}

function isAlive(holder) {
  return !holder.endsWith(" dead") && holder === identity(parseInt(holder, 10));
}

/** Names one process for good: process ids are reused, so on Linux with the time of its start. */
function identity(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return `${pid} dead`;
  }
  if (process.platform !== "linux") return `${pid} alive`;
  try {
    // The 22nd field; the second, a name in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return `${pid} ${fields[19]}`;
  } catch {
    return `${pid} dead`;
  }
}
