import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { loadSecrets, type Secrets } from "#server/platform/data-dir.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  claimSecretsHash,
  readInstallation,
  replaceSecretsHash,
} from "#server/platform/db/installation-row.ts";

/**
 * The secrets in a file, created if it is missing and no existing data depends on them. All servers of one
 * database use the same: with different ones, sessions, pushes and second factors would work at one server
 * and not at another. So the database stores a hash of the first, and a server with others is refused.
 * `isInUse` says whether rows need them in a database from before that. Throws one sentence.
 */
export async function openSecrets(
  file: string,
  db: Database,
  isInUse: (db: Database) => Promise<boolean>,
): Promise<Secrets> {
  if (
    !existsSync(file) &&
    ((await readInstallation(db)).secretsHash !== null || (await isInUse(db)))
  ) {
    throw new Error(
      `${file} is missing, but the database is in use: put it back from your backup, copy it from ` +
        `another server, or, if it is lost, make new secrets with "npm run admin -- new-secrets".`,
    );
  }
  const secrets = loadSecrets(file);
  const hash = hashOf(secrets);
  if (hash.equals(await claimSecretsHash(db, hash))) return secrets;
  throw new Error(
    `${file} does not fit the database, which is used with other secrets: all its servers need a ` +
      `copy of the same file, or one file that SECRETS_FILE names.`,
  );
}

/** Creates new secrets in place of a lost file: from now on the database is used with them. */
export async function renewSecrets(file: string, db: Database): Promise<Secrets> {
  const secrets = loadSecrets(file);
  await replaceSecretsHash(db, hashOf(secrets));
  return secrets;
}

/** Reveals nothing about the secrets to somebody who reads it. */
function hashOf({ authSecret, vapid }: Secrets): Buffer {
  return createHmac("sha256", authSecret).update(`postcard ${vapid.publicKey}`).digest();
}
