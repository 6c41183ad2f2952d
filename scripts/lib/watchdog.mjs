// Runs under the Node of the machine in the supervisor, and in the server's primary.
import { closeSync, openSync, readSync, rmSync } from "node:fs";

/**
 * When a process hangs: it says once in `lookMs` milliseconds that it is alive, and said nothing for so
 * many looks. At most so many are replaced within `withinMs`. One object, which tests make faster.
 */
export const bounds = { lookMs: 1000, silentLooks: 20, most: 3, withinMs: 600_000 };

/** The file in which a process notes what it works on: so many texts of so many bytes, padded with NUL. */
export const notes = { slots: 32, bytes: 96 };

/**
 * Makes the function that watches a child process from the moment it is ready: what comes before may take
 * as long as a migration takes. Silence is counted in looks of ours, not read from a clock: while we are
 * suspended with the machine, nobody grows silent.
 *
 * `onHang({ seconds, underWay, left })` hears of each hang before `kill` is called. With `left` the child is
 * left alone, until it says something or enough time has passed since the others were replaced.
 */
export function createWatchdog() {
  let replaced = [];

  function mayReplace() {
    const now = performance.now();
    replaced = replaced.filter((moment) => now - moment < bounds.withinMs);
    if (replaced.length >= bounds.most) return false;
    replaced.push(now);
    return true;
  }

  /** `child` emits messages and its exit as a ChildProcess does. */
  return function watch(child, { kill, onHang }) {
    let silent = 0;
    let left = false;
    let killed = false;
    let file = null;
    let timer;

    function look() {
      silent += 1;
      if (silent < bounds.silentLooks || killed) return;
      killed = mayReplace();
      if (!killed && left) return;
      left = !killed;
      const seconds = Math.round((silent * bounds.lookMs) / 1000);
      onHang({ seconds, underWay: readNotes(file), left });
      if (killed) kill();
    }

    child.on("message", (message) => {
      if (!message?.ready && !message?.alive) return;
      silent = 0;
      left = false;
      if (!message.ready || timer) return;
      file = openNotes(message.notes);
      timer = setInterval(look, bounds.lookMs).unref();
    });
    child.once("exit", () => {
      clearInterval(timer);
      if (file !== null) closeSync(file);
      file = null;
    });
  };
}

/** From here on it has no name: it goes with the last process that has it open. */
function openNotes(path) {
  if (!path) return null;
  try {
    const file = openSync(path, "r");
    rmSync(path);
    return file;
  } catch {
    // Only the log is poorer.
    return null;
  }
}

function readNotes(file) {
  if (file === null) return [];
  const bytes = Buffer.alloc(notes.slots * notes.bytes);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  const found = bytes.toString("utf8", 0, length).split("\0");
  return [...new Set(found.filter((text) => text !== ""))];
}
