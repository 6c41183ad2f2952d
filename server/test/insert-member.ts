import { randomBytes } from "node:crypto";
import { pino } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/db/database.ts";
import { idAt, newId } from "#server/db/ids.ts";
import { createActivity } from "#server/features/identity/activity.ts";
import { writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import { hashPassword } from "#server/features/identity/passwords.ts";
import { createSessions } from "#server/features/identity/sessions.ts";
import {
  insertAccount,
  insertCompanions,
  pickUsername,
  setAvatar,
} from "#server/features/people/index.ts";
import { createImages } from "#server/features/posts/index.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { joinNames, searchName } from "#shared/text.ts";

type Deps = { db: Database; store: ImageStore; secret: string };

type Somebody = {
  firstName: string;
  secondName: string;
  email?: string;
  /** a file on disk; it stays there */
  picture: { path: string };
  client?: ClientInfo;
  /** another moment than now, epoch milliseconds */
  joined?: number | undefined;
};

/** Everybody's. Its hash is made once for the whole process: the cost of hashing is its purpose. */
export const everybodysPassword = "correct horse battery 9";
let hash: Promise<string> | undefined;

const aTest: ClientInfo = { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" };

/** How often a name that somebody else took in the same moment is picked anew. */
const usernameTries = 5;

/**
 * Puts members straight into the tables, as a sign-up leaves them: account, username, counters,
 * password, picture, the note in their activity, and a session. What a sign-up asks and checks, and
 * the letter it sends, are for the tests of signing up.
 */
export function memberInserter({ db, store, secret }: Deps) {
  const log = pino({ level: "silent" });
  const images = createImages({ db, store, log });
  const sessions = createSessions({ db, secret, secure: false, log });
  const activity = createActivity({ db, newId });

  return async function insertMember({ picture, client = aTest, joined, ...names }: Somebody) {
    const {
      firstName,
      secondName,
      email = `${randomBytes(6).toString("hex")}@example.org`,
    } = names;
    const fullName = joinNames(firstName, secondName);
    const [received, passwordHash] = await Promise.all([
      images.receive(picture, email),
      (hash ??= hashPassword(everybodysPassword)),
    ]);

    async function insert(): Promise<string> {
      const username = await pickUsername(db, fullName);
      const id = joined === undefined ? newId() : idAt(joined);
      await db.transaction(async () => {
        await insertAccount(db, {
          id,
          username,
          email: email.toLowerCase(),
          email_as_typed: email,
          first_name: firstName,
          second_name: secondName,
          full_name: fullName,
          search_name: searchName(fullName, username),
        });
        await insertCompanions(db, { id, username });
        await writePasswordHash(db, { id: newId(), accountId: id, hash: passwordHash });
        const imageId = await images.record(id, received);
        await images.claim(id, [imageId]);
        await setAvatar(db, id, imageId);
        await activity.note(id, "signed-in", { detail: "sign-up", client });
      });
      return id;
    }

    let id: string | undefined;
    for (let left = usernameTries; id === undefined; left -= 1) {
      id = await insert().catch((error: { code?: unknown }) => {
        // 23505 unique_violation (PostgreSQL, Appendix A)
        if (error.code !== "23505" || left === 1) throw error;
        return undefined;
      });
    }
    const session = await sessions.start(id, client);
    if (!session) throw new Error("the new member is not to be seen");
    return session;
  };
}
