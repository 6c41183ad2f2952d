import { setPriority } from "node:os";
import pg from "pg";
import { useBucket } from "#server/platform/backup/bucket-files.ts";
import { recordDeletions } from "#server/platform/backup/deletions.ts";
import {
  beginInspection,
  endInspection,
  isBackingUp,
  readKnownFolder,
} from "#server/platform/backup/folder.queries.ts";
import { inspectFolder } from "#server/platform/backup/inspect-folder.ts";
import { dueCode, isDue } from "#server/platform/backup/schedule.ts";
import { readConfig } from "#server/config.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { on } from "#server/platform/db/statements.ts";

/*
 * Inspects BACKUP_DIR in a process of its own: if the disk is gone, only this process hangs. Prints what it
 * found for its caller, and writes it to the database for everybody else, after recording there that it
 * began.
 */
const config = readConfig();
const { backupDir: path } = config;
if (path !== null) {
  if (config.backupBucket) useBucket(config.backupBucket, config.dataDir);
  // Processes that answer requests go first.
  setPriority(10);
  const client = await connect();
  const known = client && (await readKnownFolder(client, path));
  if (client && known) await beginInspection(client, path);
  const look = await inspectFolder(path, known);
  const isMaking = client !== null && (await isBackingUp(on(client)));
  process.stdout.write(JSON.stringify({ ...look, isMaking }));
  if (client && known) {
    await endInspection(client, path, look);
    // The list of those who are gone for good is never as far behind as the backups themselves.
    if (look.state === "ready" && look.isOurs) await recordDeletions(client, path).catch(() => {});
  }
  await client?.end();
  const due = look.state !== "ready" || (await isDue(path, config.backupAt, new Date()));
  process.exitCode = due ? dueCode : 0;
}

/** Null if the database is not available: then nobody can read the result there either. */
async function connect(): Promise<pg.Client | null> {
  const { databaseUrl, dataDir } = config;
  const connection =
    databaseUrl === null ? findRunningPostgres(dataDir) : { connectionString: databaseUrl };
  if (!connection) return null;
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  });
  client.on("error", () => {});
  return client.connect().then(
    () => client,
    () => null,
  );
}
