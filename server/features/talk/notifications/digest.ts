import { createHmac, timingSafeEqual } from "node:crypto";
import { writeMail } from "#server/adapters/mail/write-mail.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idAt, isId } from "#server/platform/db/ids.ts";
import { messagesIn, readersLanguage } from "#server/platform/messages.ts";
import { describeIn } from "#server/features/talk/notifications/describe-in.ts";
import * as queries from "#server/features/talk/notifications/digest.queries.ts";
import { unreadSince } from "#server/features/talk/notifications/notifications.queries.ts";
import { writeSettings } from "#server/features/talk/notifications/settings.queries.ts";
import { refuse } from "#shared/errors.ts";
import { fill } from "#shared/messages.ts";

const hourMs = 60 * 60 * 1000;
/** What is read within this time needs no email. */
const patienceMs = hourMs;
/** Older than this a notification is left out, milliseconds. */
const newsMs = 48 * hourMs;
/** Lines of one email. */
const mostLines = 10;
/** Notifications read at once. */
const among = 1000;

type Deps = {
  db: Database;
  mail: Pick<Mail, "leaves" | "queue">;
  secret: string;
  publicUrl: string;
  site: () => Promise<{ name: string }>;
  /** those that are offered */
  languages: readonly string[];
};

/**
 * A daily email of what is unread, to members who have a verified email, want it, and have
 * something to read. Only where the installation sends mail.
 */
export function createDigest(deps: Deps) {
  const { db, mail, secret } = deps;

  /** Writes every digest that is due; safe at any time and in several processes. */
  async function sweep(): Promise<void> {
    if (!mail.leaves) return;
    const now = Date.now();
    const to = idAt(now - patienceMs);
    let after: queries.Waiting | null = { latestId: idAt(now - newsMs), accountId: lowestId };
    while (after) {
      const page: queries.DuePage = await queries.dueRecipients(db, { after, to, among });
      for (const recipient of page.due) await db.transaction(() => write(deps, recipient, now));
      after = page.next;
    }
  }

  /** The account that one of our links names. Refuses other links. */
  function accountOf(token: string): string {
    const [accountId = "", signature = ""] = token.split(".");
    const given = Buffer.from(signature);
    const right = Buffer.from(sign(secret, accountId.toLowerCase()));
    if (!isId(accountId) || given.length !== right.length || !timingSafeEqual(given, right)) {
      throw refuse("not-found");
    }
    return accountId.toLowerCase();
  }

  /** Anybody with the link can end the digests. */
  async function stop(token: string): Promise<void> {
    await writeSettings(db, accountOf(token), { digest: false });
  }

  return { sweep, stop, accountOf };
}

/** Runs inside a transaction. */
async function write(deps: Deps, recipient: queries.Due, now: number): Promise<void> {
  const { db, mail, secret, publicUrl, site, languages } = deps;
  const before = await queries.claimDigest(db, recipient.id);
  if (before === null) return;
  const since = idAt(Math.max(before, now - newsMs));
  const views = await unreadSince(db, recipient.id, { since, limit: mostLines + 1 });
  if (views.length === 0) return queries.returnDigest(db, recipient.id, before);
  const language = readersLanguage(recipient.language, languages);
  const words = messagesIn(language, "letters.json");
  const lines = views.slice(0, mostLines).map((view) => {
    const text = view.text.replaceAll(/\s+/gu, " ").trim();
    return fill(text ? words.digestLineSaid : words.digestLine, {
      what: describeIn(language, view),
      text,
    });
  });
  // A link that ends the digests without signing in, and does nothing else.
  const unsubscribe = `${publicUrl}/stopEmails/${recipient.id}.${sign(secret, recipient.id)}`;
  const message = writeMail({
    to: { address: recipient.email, ...(recipient.name && { name: oneLine(recipient.name) }) },
    language,
    subject: views.length === 1 ? words.digestOne : words.digestMany,
    paragraphs: [...lines, views.length > mostLines ? words.digestMore : ""],
    action: { label: words.digestAction, url: `${publicUrl}/notifications` },
    otherwise: fill(words.digestStop, { url: unsubscribe }),
    site: (await site()).name,
    publicUrl,
  });
  await mail.queue({ ...message, unsubscribe });
}

const sign = (secret: string, accountId: string) =>
  createHmac("sha256", secret).update(`digest ${accountId}`).digest("base64url");

/** A header holds one line. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
