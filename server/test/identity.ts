import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import type { Database } from "#server/platform/db/database.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { createIdentity } from "#server/features/identity/identity.ts";
import type { LimitNumbers } from "#server/features/limits/limits.ts";
import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import type { NotifyOwner } from "#server/features/identity/security-notices.ts";
import { createInvitations } from "#server/features/operator/invitations.ts";
import { createOperatorSettings } from "#server/features/operator/operator-settings.ts";
import { createTwoFactor } from "#server/features/identity/two-factor/two-factor.ts";
import { createImages } from "#server/features/posts/images/images.ts";
import type { ReceivedImage } from "#server/features/posts/images/receive.ts";
import { testStores } from "#server/test/image-stores.ts";
import { afterFile } from "#server/test/after-file.ts";
import type { Viewer } from "#shared/views.ts";

type Options = {
  publicUrl?: string;
  rateLimits?: boolean;
  limitNumbers?: LimitNumbers;
  /** The clock that an authenticator app's codes are checked with, epoch milliseconds. */
  now?: () => number;
  /** the configured identity providers */
  providers?: ProviderSettings[];
  /** called with the account that has to confirm an email */
  welcome?: (accountId: string) => Promise<void>;
  /** called with notices to account owners */
  notifyOwner?: NotifyOwner;
  /** Fails in the transaction of a sign-up, after everything but the avatar was written. */
  failToRecord?: () => Error | null;
};

export const authSecret = "a secret of tests, long enough and used nowhere else: 3f9Kq0ZpX7";

/** Identity on a real database and a folder of images, with what it logged. */
export function testIdentity(db: Database, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postcard-identity-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const publicUrl = options.publicUrl ?? "http://localhost:3000";

  const store = testStores(folder).store;
  const images = createImages({ db, store, log });

  const twoFactor = createTwoFactor({ db, log, secret: authSecret, now: options.now });
  const identity = createIdentity({
    db,
    log,
    twoFactor,
    config: {
      publicUrl,
      origins: [publicUrl],
      rateLimits: options.rateLimits ?? false,
      providers: options.providers ?? [],
    },
    ...(options.welcome ? { welcome: options.welcome } : {}),
    ...(options.notifyOwner ? { notifyOwner: options.notifyOwner } : {}),
    secrets: { authSecret },
    admission: createInvitations({
      db,
      secret: authSecret,
      settings: createOperatorSettings({ db }),
    }),
    images: {
      ...images,
      receive: async (picture, network) => {
        if ("path" in picture) return images.receive(picture, network);
        throw new Error("these tests send files");
      },
      record: async (accountId: string, received: ReceivedImage) => {
        const error = options.failToRecord?.();
        if (error) throw error;
        return images.record(accountId, received);
      },
    },
    ...(options.limitNumbers ? { limitNumbers: options.limitNumbers } : {}),
  });

  /** A file as the form parser provides it. */
  async function upload(content?: string): Promise<ReceivedUpload> {
    const bytes = content === undefined ? await picture : Buffer.from(content);
    const path = join(folder, `upload-${randomBytes(6).toString("hex")}`);
    await writeFile(path, bytes);
    return { path, bytes: bytes.length, filename: "me.jpg", mediaType: "image/jpeg" };
  }

  /** The number of images in the store. */
  async function storedImages(): Promise<number> {
    const found = new Set<string>();
    for await (const keys of store.list(new Date(Date.now() + 60_000))) {
      for (const key of keys) found.add(key);
    }
    return found.size;
  }

  /** Signs somebody up, with defaults for everything the test does not set. */
  async function signUpAnybody(
    fields: Partial<Parameters<typeof identity.signUp.withPassword>[0]> = {},
  ) {
    return identity.signUp.withPassword({
      email: `${randomBytes(6).toString("hex")}@example.org`,
      password: goodPassword,
      firstName: "",
      secondName: "",
      picture: await upload(),
      client: client(),
      ...fields,
    });
  }

  /** Signs the member in to another browser. */
  async function signInElsewhere({ id }: Viewer): Promise<{ viewer: Viewer; cookie: string }> {
    const { viewer, cookies } = await identity.signIn.complete(id, client(), "password");
    if (!viewer) throw new Error("a second factor was asked for");
    return { viewer, cookie: asCookieHeader(cookies) };
  }

  return { ...identity, join: signUpAnybody, signInElsewhere, upload, storedImages, logged };
}

const picture = sharp({
  create: { width: 64, height: 48, channels: 3, background: "teal" },
})
  .jpeg()
  .toBuffer();

export const goodPassword = "correct horse battery 9";

export function client(fields: Partial<ClientInfo> = {}): ClientInfo {
  return { ip: "192.0.2.1", userAgent: "a browser", cookieHeader: "", ...fields };
}

/** The Cookie header a browser sends after these Set-Cookie values. */
export function asCookieHeader(cookies: readonly string[]): string {
  return cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
}
