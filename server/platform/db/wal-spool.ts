import { mkdirSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, namesIn } from "#server/adapters/image-store/durable-files.ts";

/*
 * PostgreSQL copies each segment of its log that is finished into a folder beside its data. A process of ours
 * takes them from there to BACKUP_DIR (server/platform/backup/ship.ts): PostgreSQL never waits for that disk.
 */

/** A segment in use is finished after this long, if anything was written, seconds. */
const segmentSeconds = 120;
const segmentForm = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/;
/** What PostgreSQL archives for programs of its own: where bases began, and the rest of a timeline. */
const noteForm = /\.(backup|partial)$/;

const spoolIn = (home: string): string => join(home, "wal-spool");
export const spoolOf = (dataDir: string): string => spoolIn(join(dataDir, "postgres"));

/** The file that makes PostgreSQL drop its log instead of copying it. */
const offFile = (spool: string): string => join(spool, "off");

export function makeSpool(home: string): string {
  const spool = spoolIn(home);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  return spool;
}

/**
 * Settings with which PostgreSQL archives into the spool. The copy keeps the time of the last write (`-p`), is
 * complete under its name or not there, and is durable before PostgreSQL may overwrite the original.
 */
export function archiveSettings(spool: string): Record<string, string> {
  const [off, folder] = [quote(offFile(spool)), quote(spool)];
  const to = `${folder}/%f`;
  return {
    wal_level: "replica",
    archive_mode: "on",
    archive_timeout: `${segmentSeconds}s`,
    archive_command: `test -e ${off} || { cp -p %p ${to}.new && mv ${to}.new ${to} && sync ${to} ${folder}; }`,
  };
}

/** For a shell; PostgreSQL replaces %p and %f by a segment's path and name, and %% by a percent sign. */
const quote = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll("%", "%%")}'`;

/** Why nothing is copied into a spool, and since when; `why` is empty where nobody has to know. */
export type Off = { at: string; why: string };

export async function readOff(spool: string): Promise<Off | null> {
  try {
    const { at, why } = JSON.parse(await readFile(offFile(spool), "utf8")) as Partial<Off>;
    return { at: String(at), why: String(why) };
  } catch (error) {
    // cut off while it was written
    return isMissing(error) ? null : { at: new Date(0).toISOString(), why: "" };
  }
}

/** Stops the copying and empties the spool. What PostgreSQL copied at that moment goes at the next call. */
export async function switchOff(spool: string, off: Off): Promise<void> {
  // First, because the disk may be full.
  await emptySpool(spool);
  await writeFile(offFile(spool), `${JSON.stringify(off)}\n`, { mode: 0o600, flush: true });
  await emptySpool(spool);
}

export async function switchOn(spool: string): Promise<void> {
  await rm(offFile(spool), { force: true });
}

export async function emptySpool(spool: string): Promise<void> {
  for (const name of await readdir(spool)) {
    if (join(spool, name) !== offFile(spool)) await rm(join(spool, name), { force: true });
  }
}

/** The finished segments in a spool, the oldest first. */
export async function segmentsIn(spool: string): Promise<string[]> {
  return (await namesIn(spool)).filter((name) => segmentForm.test(name)).toSorted();
}

export async function removeNotes(spool: string): Promise<void> {
  for (const name of await namesIn(spool)) {
    if (noteForm.test(name)) await rm(join(spool, name), { force: true });
  }
}

/** What waits to be shipped: bytes, those that PostgreSQL could not copy yet included; and since when. */
export async function spoolSize(spool: string): Promise<{ bytes: number; oldest: Date | null }> {
  const log = join(spool, "..", "data", "pg_wal");
  let bytes = 0;
  let oldest: Date | null = null;
  const names = (await namesIn(spool)).filter((name) => join(spool, name) !== offFile(spool));
  const paths = names.map((name) => join(spool, name));
  for (const name of await namesIn(join(log, "archive_status"))) {
    if (name.endsWith(".ready")) paths.push(join(log, name.slice(0, -".ready".length)));
  }
  for (const path of paths.filter((each) => !noteForm.test(each))) {
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    bytes += found.size;
    if (oldest === null || found.mtime < oldest) oldest = found.mtime;
  }
  return { bytes, oldest };
}
