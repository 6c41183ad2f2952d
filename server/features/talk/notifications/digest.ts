import { createHmac, timingSafeEqual } from "node:crypto";
import { writeLetter } from "#server/adapters/mail/letter.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import { lowestId } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { idAt, isId } from "#server/db/ids.ts";
import * as queries from "#server/features/talk/notifications/digest.queries.ts";
import { unreadSince } from "#server/features/talk/notifications/notifications.queries.ts";
import { writeSettings } from "#server/features/talk/notifications/settings.queries.ts";
import { refuse } from "#shared/errors.ts";
import { whatWasDone, whoDidIt } from "#shared/notifications.ts";

const hourMs = 60 * 60 * 1000;
/** What is read within this time needs no letter. */
const patienceMs = hourMs;
/** Older than this it is no news, milliseconds. */
const newsMs = 48 * hourMs;
/** Lines of one letter. */
const told = 10;
/** Notifications of one look. */
const among = 1000;

type Deps = {
  db: Database;
  mail: Pick<Mail, "leaves" | "queue">;
  secret: string;
  publicUrl: string;
  place: () => Promise<{ name: string }>;
};

/**
 * A letter a day of what is unread, to members who have a verified email, want it, and have
 * something to read. Only where letters leave the installation.
 */
export function createDigest(deps: Deps) {
  const { db, mail, secret } = deps;

  /** Writes every letter that is due; safe at any time and in several processes. */
  async function sweep(): Promise<void> {
    if (!mail.leaves) return;
    const now = Date.now();
    const to = idAt(now - patienceMs);
    let after: queries.Waiting | null = { latestId: idAt(now - newsMs), accountId: lowestId };
    while (after) {
      const look: queries.Look = await queries.dueMembers(db, { after, to, among });
      for (const member of look.due) await db.transaction(() => write(deps, member, now));
      after = look.next;
    }
  }

  /** The account that an address of ours names. Refuses one that is not ours. */
  function accountOf(token: string): string {
    const [accountId = "", signature = ""] = token.split(".");
    const given = Buffer.from(signature);
    const right = Buffer.from(sign(secret, accountId.toLowerCase()));
    if (!isId(accountId) || given.length !== right.length || !timingSafeEqual(given, right)) {
      throw refuse("not-found");
    }
    return accountId.toLowerCase();
  }

  /** Whoever has the address can end the letters. */
  async function stop(token: string): Promise<void> {
    await writeSettings(db, accountOf(token), { digest: false });
  }

  return { sweep, stop, accountOf };
}

/** Runs inside a transaction. */
async function write(deps: Deps, member: queries.Due, now: number): Promise<void> {
  const { db, mail, secret, publicUrl, place } = deps;
  const before = await queries.claimDigest(db, member.id);
  if (before === null) return;
  const since = idAt(Math.max(before, now - newsMs));
  const views = await unreadSince(db, member.id, { since, limit: told + 1 });
  if (views.length === 0) return queries.returnDigest(db, member.id, before);
  const lines = views.slice(0, told).map((view) => {
    const said = view.text.replaceAll(/\s+/gu, " ").trim();
    return `${whoDidIt(view)} ${whatWasDone(view)}${said ? `: “${said}”` : "."}`;
  });
  // An address that ends the letters without signing in, and does nothing else.
  const unsubscribe = `${publicUrl}/stopEmails/${member.id}.${sign(secret, member.id)}`;
  const letter = writeLetter({
    to: { address: member.email, ...(member.name && { name: oneLine(member.name) }) },
    subject: views.length === 1 ? "One thing you haven't seen" : "What you haven't seen yet",
    paragraphs: [...lines, views.length > told ? "And more." : ""],
    action: { label: "See it all", url: `${publicUrl}/notifications` },
    otherwise: `You'll get at most one of these emails a day. To stop them, open ${unsubscribe}`,
    place: (await place()).name,
    publicUrl,
  });
  await mail.queue({ ...letter, unsubscribe });
}

const sign = (secret: string, accountId: string) =>
  createHmac("sha256", secret).update(`digest ${accountId}`).digest("base64url");

/** A header holds one line. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
