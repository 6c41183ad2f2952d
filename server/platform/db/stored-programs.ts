import { existsSync, readdirSync } from "node:fs";
import { chown, link, lstat, mkdir, readdir, readlink, rename } from "node:fs/promises";
import { rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { copyDurably, syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import { binariesIn, type Binaries } from "#server/platform/db/postgres-binaries.ts";
import { clustersOf } from "#server/platform/db/postgres-cluster.ts";
import type { Log } from "#server/platform/db/postgres-server.ts";

const storedProgramsFolder = (dataDir: string): string => join(dataDir, "postgres-programs");

/** What is needed from the package: programs, libraries, time zones and extensions. */
const parts = ["package.json", "native"];

/**
 * Stores the programs of the database next to its data, so that a Postcard with a newer major version can
 * start them once more (docs/decisions/0199): exactly the version that runs the database, as links if the
 * disk allows it. They are stored completely or not at all; earlier ones are removed once these are stored,
 * except those that a database from before an upgrade needs. Never throws: Postcard also runs without them.
 */
export async function storePrograms(dataDir: string, binaries: Binaries, log: Log): Promise<void> {
  const folder = storedProgramsFolder(dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    for (const name of await readdir(folder)) {
      if (name.startsWith("draft-")) await remove(join(folder, name));
    }
    const kept = join(folder, binaries.version);
    if (!existsSync(kept)) {
      const draft = join(folder, `draft-${binaries.version}`);
      const owner = await stat(dataDir);
      await mkdir(draft, { mode: 0o755 });
      await chown(draft, owner.uid, owner.gid).catch(() => undefined);
      const sum = { bytes: 0, copied: 0 };
      for (const part of parts) {
        await linkOrCopy(join(binaries.folder, part), join(draft, part), owner, sum);
      }
      await syncToDisk(draft);
      await rename(draft, kept);
      await syncToDisk(folder);
      const size = `${(sum.bytes / 1_000_000).toFixed(0)} MB, of it ${(sum.copied / 1_000_000).toFixed(0)} MB copied and the rest linked`;
      log.info({ folder: kept, size }, "kept the programs of PostgreSQL beside its data");
    }
    const needed = new Set(clustersOf(dataDir).map(({ major }) => major));
    for (const name of await readdir(folder)) {
      const major = Number.parseInt(name, 10);
      const isOfBefore =
        name !== binaries.version && (major === binaries.major || !needed.has(major));
      if (isOfBefore && Number.isInteger(major)) await remove(join(folder, name));
    }
  } catch (error) {
    const reason = (error as Error).message;
    log.warn(
      { folder, reason },
      "the programs of PostgreSQL could not be kept beside its data, where the next major version needs them",
    );
  }
}

/** Removes the stored programs of a major version that no database needs any more. */
export async function removeStoredPrograms(dataDir: string, major: number): Promise<void> {
  const folder = storedProgramsFolder(dataDir);
  if (!existsSync(folder) || clustersOf(dataDir).some((one) => one.major === major)) return;
  for (const name of namesOf(folder, major)) await remove(join(folder, name));
}

/** The stored programs of a major version; null if there are none. */
export function findStoredPrograms(dataDir: string, major: number): Binaries | null {
  const folder = storedProgramsFolder(dataDir);
  if (!existsSync(folder)) return null;
  const [name] = namesOf(folder, major);
  return name === undefined ? null : binariesIn(join(folder, name));
}

function namesOf(folder: string, major: number): string[] {
  return readdirSync(folder).filter((name) => new RegExp(`^${major}\\D`).test(name));
}

/** Links take no room; another disk, or files of another user, need a copy. */
async function linkOrCopy(
  from: string,
  to: string,
  owner: { uid: number; gid: number },
  sum: { bytes: number; copied: number },
): Promise<void> {
  const found = await lstat(from);
  if (found.isDirectory()) {
    await mkdir(to, { mode: 0o755 });
    // The owner of the data may remove them.
    await chown(to, owner.uid, owner.gid).catch(() => undefined);
    const names = await readdir(from);
    // one after another: there are a thousand, and a process may open only a few files
    for (const name of names) await linkOrCopy(join(from, name), join(to, name), owner, sum);
    await syncToDisk(to);
  } else if (found.isSymbolicLink()) {
    await symlink(await readlink(from), to);
  } else {
    sum.bytes += found.size;
    try {
      await link(from, to);
      await syncToDisk(to);
    } catch {
      await copyDurably(from, to);
      sum.copied += found.size;
    }
  }
}

/** Renames it first: an incomplete folder is never used as programs. */
async function remove(path: string): Promise<void> {
  const name = basename(path);
  const gone = name.startsWith("draft-") ? path : join(dirname(path), `draft-gone-${name}`);
  if (gone !== path) await rename(path, gone);
  await rm(gone, { recursive: true, force: true, maxRetries: 3 });
}
