import { join } from "node:path";
import type { PoolConfig } from "pg";
import sharp from "sharp";
import { afterEach } from "vitest";
import { signal } from "#server/platform/db/postgres-processes.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase, urlOf } from "#server/test/database.ts";
import { boundRole, startPgbouncer } from "#server/test/pgbouncer.ts";
import { storeEnvironment } from "#server/test/image-stores.ts";
import { startProgram, type Running } from "#server/test/processes.ts";
import { postmasterOf } from "#server/test/programs.ts";
import { startS3Server } from "#server/test/s3-server.ts";

export { addressOf, postmasterOf } from "#server/test/programs.ts";

const dataDirs = new Set<string>();

// A killed server deliberately leaves PostgreSQL running.
afterEach(() => {
  for (const dataDir of dataDirs) {
    const pid = postmasterOf(dataDir);
    if (pid) signal(pid, "SIGQUIT");
  }
});

/** Starts the real server on a data folder, with a port of its own. */
export function startServer(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  words = [process.execPath, "server/main.ts"],
): Running {
  dataDirs.add(dataDir);
  const settings = {
    PORT: "0",
    DATA_DIR: dataDir,
    PROCESSES: "1",
    RATE_LIMITS: "off",
    LOG_LEVEL: "info",
  };
  return startProgram(words, {
    env: { ...settings, ...storeEnvironment(dataDir), ...env },
  });
}

/** What the servers of one installation share: a database, a bucket, and the secrets. */
export async function sharedSettings(
  folder: string,
  { pooled = false } = {},
): Promise<NodeJS.ProcessEnv> {
  const { connection } = await freshDatabase();
  const bucket = await startS3Server();
  afterFile(bucket.stop);
  return {
    ...bucket.environment("shared"),
    ...(pooled ? await pooledSettings(connection) : { DATABASE_URL: urlOf(connection) }),
    SECRETS_FILE: join(folder, "secrets.json"),
    LOG_LEVEL: "warn",
  };
}

/** A pooler in transaction mode in front of the database, with fewer connections than one server opens. */
async function pooledSettings(connection: PoolConfig): Promise<NodeJS.ProcessEnv> {
  await boundRole(connection);
  const pooler = await startPgbouncer(connection, { default_pool_size: "6" });
  afterFile(pooler.stop);
  return { DATABASE_URL: urlOf(pooler.connection), DATABASE_DIRECT_URL: urlOf(connection) };
}

/** A small image file of one colour. */
export async function smallImage(): Promise<Blob> {
  const background = { r: 40, g: 90, b: 160 };
  const picture = sharp({ create: { width: 48, height: 48, channels: 3, background } });
  return new Blob([await picture.png().toBuffer()], { type: "image/png" });
}

/** Signs somebody up as a program would; returns the Cookie header of the session. */
export async function signUp(address: string, email: string): Promise<string> {
  const form = new FormData();
  form.set("email", email);
  form.set("password", "correct horse battery");
  form.set("firstName", "Ada");
  form.set("secondName", "Lovelace");
  form.set("picture", await smallImage(), "ada.png");
  const answer = await fetch(`${address}/signUp`, { method: "POST", body: form });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  await answer.arrayBuffer();
  if (cookies.length === 0)
    throw new Error(`Signing up answered ${answer.status} without a session`);
  return cookies.join("; ");
}
