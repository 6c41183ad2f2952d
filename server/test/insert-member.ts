import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { pino } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idAt, newId } from "#server/platform/db/ids.ts";
import { createActivity } from "#server/features/identity/activity.ts";
import { writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import { hashPassword } from "#server/features/identity/passwords.ts";
import { createSessions } from "#server/features/identity/sessions.ts";
import {
  insertNewAccount,
  openAdmission,
  withFreeUsername,
} from "#server/features/identity/new-account.ts";
import { setAvatar } from "#server/features/people/index.ts";
import { createImages } from "#server/features/posts/index.ts";
import { receive, renderStill, type Render } from "#server/features/posts/images/receive.ts";
import type { RenderedImage } from "#server/features/posts/images/render.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { joinNames } from "#shared/text.ts";

type Deps = { db: Database; store: ImageStore; secret: string };

type NewMember = {
  firstName: string;
  secondName: string;
  email?: string;
  /** a file on disk, which is not removed */
  picture: { path: string };
  client?: ClientInfo;
  /** epoch milliseconds, if not now */
  joined?: number | undefined;
};

/** The password of every member. Its hash is made once a process: hashing is slow on purpose. */
export const testPassword = "correct horse battery 9";
let hash: Promise<string> | undefined;

/** What was rendered of each picture, by its bytes: nearly all members have the same. */
const rendered = new Map<string, RenderedImage>();

const renderOnce: Render = async (path, turn) => {
  const bytes = readFileSync(path, "base64");
  const image = rendered.get(bytes) ?? (await renderStill(path, turn));
  rendered.set(bytes, image);
  return image;
};

const aTest: ClientInfo = { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" };

/**
 * Inserts members straight into the tables, with all that a sign-up writes: account, username, counters,
 * password, avatar, the entry in their activity, and a session. What a sign-up checks, and the mail it sends,
 * are for the tests of signing up.
 */
export function memberInserter({ db, store, secret }: Deps) {
  const log = pino({ level: "silent" });
  const images = createImages({ db, store, log });
  const sessions = createSessions({ db, secret, secure: false, log });
  const activity = createActivity({ db, newId });

  return async function insertTestMember({ picture, client = aTest, joined, ...names }: NewMember) {
    const {
      firstName,
      secondName,
      email = `${randomBytes(6).toString("hex")}@example.org`,
    } = names;
    const fullName = joinNames(firstName, secondName);
    const [received, passwordHash] = await Promise.all([
      receive({ store, log }, picture, email, renderOnce),
      (hash ??= hashPassword(testPassword)),
    ]);

    const admitting = {
      db,
      newId: () => (joined === undefined ? newId() : idAt(joined)),
      admission: openAdmission,
    };
    const row = { email, firstName, secondName, fullName, invitation: null };
    const wanted = { ...row, password: testPassword, wished: undefined };
    const id = await withFreeUsername(db, wanted, (username) =>
      db.transaction(async () => {
        const accountId = await insertNewAccount(admitting, { ...row, username });
        await writePasswordHash(db, { id: newId(), accountId, hash: passwordHash });
        const imageId = await images.record(accountId, received);
        await images.claim(accountId, [imageId]);
        await setAvatar(db, accountId, imageId);
        await activity.note(accountId, "signed-in", { detail: "sign-up", client });
        return accountId;
      }),
    );
    const session = await sessions.start(id, client);
    if (!session) throw new Error("the new member is not to be seen");
    return session;
  };
}
