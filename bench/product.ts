import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import sharp from "sharp";
import { sql } from "#server/platform/db/sql.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createDiskFiles } from "#server/adapters/private-files/disk.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { readConfig } from "#server/config.ts";
import { loadSecrets } from "#server/platform/data-dir.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { createHints, noHints } from "#server/platform/db/hints.ts";
import { hintWords } from "#server/features/change-hint.ts";
import { newId } from "#server/platform/db/ids.ts";
import { createFeatures } from "#server/features/index.ts";
import { sessionCookieName, signToken } from "#server/features/identity/session-tokens.ts";
import { hashToken } from "#server/platform/tokens.ts";
import { createJobs } from "#server/platform/jobs.ts";
import type { Viewer } from "#shared/views.ts";

/** A statement as it was sent. */
export type Statement = { text: string; values: readonly unknown[] };

export type Product = ReturnType<typeof openProduct>;

/** The product's features in this process, with a database that records the statements they send. */
export function openProduct({
  connection,
  dataDir,
  sendsHints = false,
}: {
  connection: pg.ClientConfig;
  dataDir: string;
  /** events here are sent to other processes, and to streams of this one */
  sendsHints?: boolean;
}) {
  mkdirSync(join(dataDir, "tmp"), { recursive: true });
  const log = pino({ level: "silent" });
  const config = readConfig({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: "3000",
    LOG_LEVEL: "silent",
  });
  const sent: Statement[] = [];
  const onQuery = (text: string, values: readonly unknown[]) => sent.push({ text, values });
  const db = createDatabase({ connection, log, onQuery });
  const store = createDiskStore({ dataDir });
  const jobs = createJobs({ db, log });
  const files = createDiskFiles({ dataDir });
  const mail = openMail({ config, files, jobs, log });
  const secrets = loadSecrets(config.secretsFile);
  const hints = sendsHints ? createHints({ db, log, words: hintWords }) : noHints;
  const features = createFeatures({
    db,
    log,
    config,
    secrets,
    store,
    privateStore: store,
    files,
    hints,
    jobs,
    mail,
  });

  /** Does some work and returns the statements that it sent. */
  async function recording<Result>(
    work: () => Promise<Result>,
  ): Promise<{ result: Result; statements: Statement[] }> {
    sent.length = 0;
    const result = await work();
    return { result, statements: [...sent] };
  }

  async function close(): Promise<void> {
    features.live.stop();
    await hints.close();
    await db.close();
  }

  return { config, db, features, log, store, secrets, recording, close };
}

export type Member = { viewer: Viewer; cookie: string };

/** The headers of a browser that asks for a document, without its cookie for a visitor. */
export const asBrowser = (cookie: string): Record<string, string> => ({
  ...(cookie ? { cookie } : {}),
  "sec-fetch-dest": "document",
  "accept-encoding": "gzip, deflate, br, zstd",
});

const client = { ip: "127.0.0.1", userAgent: "bench", cookieHeader: "" };

/** Signs up in the usual way; returns the credentials. */
export async function signUpAs({ features, config }: Product, email: string) {
  const credentials = { email, password: "correct horse battery staple" };
  const path = join(config.dataDir, "tmp", "visitor.jpg");
  const { size } = await sharp({
    create: { width: 96, height: 96, channels: 3, background: "teal" },
  })
    .jpeg()
    .toFile(path);
  const avatar = { path, bytes: size, filename: "visitor.jpg", mediaType: "image/jpeg" };
  await features.identity.signUp.withPassword({
    ...credentials,
    firstName: "Vi",
    secondName: "Sitor",
    picture: avatar,
    client,
  });
  return credentials;
}

/**
 * Signs in as accounts of a generated graph, which have no passwords: a new account signs up, and its session
 * is handed over to the account.
 */
export async function signInAs(product: Product, accountIds: readonly string[]): Promise<Member[]> {
  const { db, features } = product;
  const credentials = await signUpAs(product, `visitor-${randomUUID()}@example.org`);
  const members: Member[] = [];
  for (const id of accountIds) {
    const { viewer: visitor, cookies } = await features.identity.signIn.withPassword({
      ...credentials,
      client,
    });
    if (!visitor) throw new Error("The visitor was asked for a second factor.");
    await db.query(sql`update sessions set account_id = ${id} where id = ${visitor.sessionId}`);
    const cookie = cookies.map((line) => line.split(";", 1)[0]).join("; ");
    const viewer = await features.identity.sessions.viewerOf({ cookie });
    if (viewer?.id !== id) throw new Error("The session was not handed over.");
    members.push({ viewer, cookie });
  }
  return members;
}

/** Sessions of accounts of a generated graph, as many as requested, inserted without signing in. */
export async function sessionsFor(
  { db, config, secrets, features }: Product,
  accountIds: readonly string[],
): Promise<Member[]> {
  const members: Member[] = [];
  for (const accountId of accountIds) {
    const token = randomBytes(32).toString("base64url");
    await db.query(sql`
      insert into sessions (id, token_hash, account_id, expires_at, ip_address, user_agent)
      values (
        ${newId()}, ${hashToken(token)}, ${accountId}, now() + interval '1 day', ${client.ip},
        ${client.userAgent}
      )
    `);
    const name = sessionCookieName(config.publicUrl.startsWith("https:"));
    const cookie = `${name}=${encodeURIComponent(signToken(token, secrets.authSecret))}`;
    const viewer = await features.identity.sessions.viewerOf({ cookie });
    if (!viewer) throw new Error("A session that was written is not there.");
    members.push({ viewer, cookie });
  }
  return members;
}
