import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notes } from "../../../scripts/lib/watchdog.mjs";

/*
 * What this process works on, noted where whoever watches it can read it once nothing here answers any
 * more: a file in memory, one write when a piece of work begins and one when it is over. A write takes
 * 1 µs of the processor; a message would take 6 µs here and as much where it arrives.
 */

let file: number | null = null;
const free = Array.from({ length: notes.slots }, (_, slot) => slot);
/** Places that are in use, each with the work it is of; the one that was taken first is the first. */
const taken = new Map<number, symbol>();
/** Texts are few: routes and jobs have a fixed number. */
const padded = new Map<string, Buffer>();
const blank = Buffer.alloc(notes.bytes);

/** Begins to note; returns the path of the file, for the process that watches this one, or null where none can be made. */
export function openNotes(): string | null {
  for (const folder of ["/dev/shm", tmpdir()]) {
    const path = join(folder, `postcard-${randomUUID()}`);
    try {
      file = openSync(path, "wx", 0o600);
    } catch {
      continue;
    }
    // Whoever watches us removed it long ago.
    process.once("exit", () => rmSync(path, { force: true }));
    return path;
  }
  return null;
}

/**
 * Notes a piece of work, by its route or name and nothing of a person; call what it returns when it is over. Where
 * there is no place left the oldest note gives way: slow requests, of which anybody may hold many, hide no loop.
 */
export function noteWork(text: string): () => void {
  if (file === null) return () => undefined;
  const slot = free.pop() ?? firstTaken();
  const work = Symbol(text);
  taken.delete(slot);
  taken.set(slot, work);
  write(slot, textOf(text));
  return () => {
    if (taken.get(slot) !== work) return;
    taken.delete(slot);
    write(slot, blank);
    free.push(slot);
  };
}

function firstTaken(): number {
  const [slot = 0] = taken.keys();
  return slot;
}

function textOf(text: string): Buffer {
  let bytes = padded.get(text);
  if (!bytes) {
    bytes = Buffer.alloc(notes.bytes);
    // The last one stays empty: two notes are not one.
    bytes.write(text, 0, notes.bytes - 1);
    padded.set(text, bytes);
  }
  return bytes;
}

function write(slot: number, bytes: Buffer): void {
  try {
    writeSync(file as number, bytes, 0, notes.bytes, slot * notes.bytes);
  } catch {
    // No memory left for it: work goes on without a note.
  }
}
