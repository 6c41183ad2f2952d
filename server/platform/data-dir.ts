import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { syncDir } from "#server/adapters/image-store/durable-files.ts";
import { makeVapidKeys } from "#server/adapters/push/push.ts";

/** How long a start waits for an owner that is just ending, in milliseconds. */
const patienceMs = 2000;

type Claim = { release: () => void };

/**
 * Creates DATA_DIR if it is missing and claims it for this process until the process ends. Throws an Error
 * with one sentence if the folder cannot be used or another process holds it.
 *
 * The claim is SQLite's lock on an empty file: the kernel releases it when the process ends, in whatever
 * way, so nothing stale is ever left behind.
 */
export function claimDataDir(dataDir: string): Claim {
  const claim = claimFreeDataDir(dataDir);
  if (claim) {
    if (existsSync(unfinishedRestore(dataDir))) claim.release();
    refuseUnfinishedRestore(dataDir);
    return claim;
  }
  throw new Error(`DATA_DIR is ${dataDir}, but another Postcard is using that folder already.`);
}

/** The file that is in a folder while a backup is restored into it. */
export const unfinishedRestore = (dataDir: string): string => join(dataDir, "restore.unfinished");

/** Throws one sentence if a restore was interrupted: half of a backup looks like all of it. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(unfinishedRestore(dataDir))) return;
  throw new Error(
    `DATA_DIR is ${dataDir}, into which a backup was not restored to the end: run npm run restore again.`,
  );
}

/** The same, but null when another process holds it, and whatever the folder contains. */
export function claimFreeDataDir(dataDir: string): Claim | null {
  makePrivateDir(dataDir);
  const lockFile = join(dataDir, "owner.lock");
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockFile, { timeout: patienceMs });
    // Nothing is ever written, so no journal file is needed.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    chmodSync(lockFile, 0o600);
  } catch (cause) {
    lock?.close();
    if (/locked/.test(String(cause))) return null;
    throw new Error(`DATA_DIR is ${dataDir}, but this user cannot write there.`, { cause });
  }
  const claim = lock;
  return { release: () => claim.close() };
}

const secretsSchema = z.object({
  authSecret: z.string().min(43),
  /** Web Push: how browsers identify this installation (RFC 8292) */
  vapid: z.object({ publicKey: z.string().min(80), privateKey: z.string().min(40) }),
});

/** The server's secrets; created once, at the first start. */
export type Secrets = z.output<typeof secretsSchema>;

/**
 * Reads the secrets, creating their file first if it is missing; openSecrets decides whether it may be
 * created. Throws one sentence.
 */
export function loadSecrets(file: string): Secrets {
  if (!existsSync(file)) makeSecrets(file);
  try {
    const stored = JSON.parse(readFileSync(file, "utf8")) as Partial<Secrets>;
    // Made by a version without Web Push.
    if (stored.authSecret && !stored.vapid) {
      stored.vapid = makeVapidKeys();
      writeSecrets(file, stored);
    }
    return secretsSchema.parse(stored);
  } catch (cause) {
    throw new Error(`${file} cannot be read: put back the copy from your backup.`, { cause });
  }
}

function makeSecrets(file: string): void {
  const secrets = { authSecret: randomBytes(32).toString("base64url"), vapid: makeVapidKeys() };
  try {
    writeSecrets(file, secrets);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`The secrets should be kept in ${file}, but writing there fails (${code}).`, {
      cause,
    });
  }
}

function makePrivateDir(dir: string): void {
  try {
    // A folder that the operator created keeps its mode.
    if (mkdirSync(dir, { recursive: true, mode: 0o700 })) chmodSync(dir, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const known = code === "EEXIST" || code === "ENOTDIR";
    const problem = known ? "that is not a folder" : `making that folder fails (${code})`;
    throw new Error(`DATA_DIR is ${dir}, but ${problem}.`, { cause });
  }
}

/** All or nothing: half a secret would be as bad as a lost one, which signs everybody out. */
function writeSecrets(file: string, secrets: Partial<Secrets>): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
  syncDir(dirname(file));
}
