import { randomUUID } from "node:crypto";
import { openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notes } from "../../../scripts/lib/watchdog.mjs";

/*
 * What this process is working on, noted where the process that watches it can read it when this one no
 * longer responds: a file in memory, with one write when a piece of work begins and one when it ends. A
 * write takes 1 µs of processor time; a message would take 6 µs here and as much where it arrives.
 */

let file: number | null = null;
const free = Array.from({ length: notes.slots }, (_, slot) => slot);
/** Slots in use, each with the work it was taken for, in the order in which they were taken. */
const taken = new Map<number, symbol>();
/** There are few texts: the number of routes and jobs is fixed. */
const padded = new Map<string, Buffer>();
const blank = Buffer.alloc(notes.bytes);

/** Starts noting; returns the path of the file, for the watching process, or null if none can be created. */
export function openNotes(): string | null {
  for (const folder of ["/dev/shm", tmpdir()]) {
    const path = join(folder, `postcard-${randomUUID()}`);
    try {
      file = openSync(path, "wx", 0o600);
    } catch {
      continue;
    }
    // The process that watches us removed it long ago.
    process.once("exit", () => rmSync(path, { force: true }));
    return path;
  }
  return null;
}

/**
 * Notes a piece of work by its route or name, without personal data; call the returned function when it
 * ends. When no slot is free the oldest note is overwritten: slow requests, of which anybody may hold many,
 * cannot hide a loop.
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
    // The last byte stays empty, to separate the notes.
    bytes.write(text, 0, notes.bytes - 1);
    padded.set(text, bytes);
  }
  return bytes;
}

function write(slot: number, bytes: Buffer): void {
  try {
    writeSync(file as number, bytes, 0, notes.bytes, slot * notes.bytes);
  } catch {
    // No memory left for it: work continues without a note.
  }
}
