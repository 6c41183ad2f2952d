import { randomBytes, randomUUIDv7 } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll } from "vitest";
import type { Database } from "#server/db/database.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { ReceivedUpload } from "#server/api/multipart.ts";
import { createIdentity } from "#server/features/identity/identity.ts";
import type { LimitNumbers } from "#server/features/identity/limits.ts";
import { refuse } from "#shared/errors.ts";

type Options = {
  publicUrl?: string;
  rateLimits?: boolean;
  limitNumbers?: LimitNumbers;
  /** Fails in the transaction of a sign-up, after everything but the picture was written. */
  failToRecord?: () => Error | null;
};

export const authSecret = "a secret of tests, long enough and used nowhere else: 3f9Kq0ZpX7";

/** Identity on a real database and a folder of pictures, with what it logged. */
export function testIdentity(db: Database, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postcard-identity-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const publicUrl = options.publicUrl ?? "http://localhost:3000";
  const store = join(folder, "store-");

  const identity = createIdentity({
    db,
    log,
    config: { publicUrl, origins: [publicUrl], rateLimits: options.rateLimits ?? false },
    secrets: { authSecret },
    images: {
      receive: async (file: ReceivedUpload) => {
        const head = await readFile(file.path);
        if (head.toString("latin1") !== picture) throw refuse("picture-unreadable");
        const key = randomBytes(16).toString("hex");
        await copyFile(file.path, store + key);
        return { key };
      },
      record: async (accountId, { key }) => {
        const error = options.failToRecord?.();
        if (error) throw error;
        const id = randomUUIDv7();
        await db.kysely
          .insertInto("images")
          .values({
            account_id: accountId,
            id,
            key,
            width: 640,
            height: 480,
            widths: [320, 640],
            thumbhash: Buffer.from("1QcSHQRnh493V4dIh4eXh1h4kJUI", "base64"),
            bytes: 1000,
            media_type: "image/jpeg",
            claimed_at: null,
          })
          .execute();
        return id;
      },
      claim: (accountId, id) =>
        db.kysely
          .updateTable("images")
          .set({ claimed_at: new Date() })
          .where("account_id", "=", accountId)
          .where("id", "=", id)
          .execute(),
      discard: ({ key }) => rm(store + key),
    },
    ...(options.limitNumbers ? { limitNumbers: options.limitNumbers } : {}),
  });

  /** A file as the form reader hands it over. */
  async function upload(content = picture): Promise<ReceivedUpload> {
    const path = join(folder, `upload-${randomBytes(6).toString("hex")}`);
    await writeFile(path, content);
    return { path, bytes: content.length, filename: "me.jpg", mediaType: "image/jpeg" };
  }

  async function storedFiles(): Promise<number> {
    const names = await readdir(folder);
    return names.filter((name) => name.startsWith("store-")).length;
  }

  /** Signs somebody up with whatever the test does not care about filled in. */
  async function signUpSomebody(fields: Partial<Parameters<typeof identity.signUp>[0]> = {}) {
    return identity.signUp({
      email: `${randomBytes(6).toString("hex")}@example.org`,
      password: goodPassword,
      firstName: "",
      secondName: "",
      picture: await upload(),
      client: client(),
      ...fields,
    });
  }

  return { ...identity, join: signUpSomebody, upload, storedFiles, logged };
}

const picture = "the bytes of a picture";
export const goodPassword = "correct horse battery 9";

export function client(fields: Partial<ClientInfo> = {}): ClientInfo {
  return { ip: "192.0.2.1", userAgent: "a browser", cookieHeader: "", ...fields };
}

/** The Cookie header a browser sends after these Set-Cookie values. */
export function asCookieHeader(cookies: readonly string[]): string {
  return cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
}
