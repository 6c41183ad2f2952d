import { createHmac } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import { unlessReadOnly } from "#server/platform/db/database-faults.ts";
import { allowLookups } from "#server/features/people/accounts/email-lookups.ts";
import { networkOf } from "#server/platform/networks.ts";
import * as queries from "#server/features/people/search/email-searches.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { emailPartOf } from "#shared/search.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  secret: string;
  /** false counts nothing */
  limited: boolean;
};

/**
 * A search by parts of an email could be extended letter by letter to a private email, and a list
 * of whole ones could be tried wherever an email is an address. So both are counted, together: at
 * most 30 different texts in any hour, of a member or a visitor's network; repeating one is free.
 * Keys are keyed hashes, as in identity/limits.ts.
 */
export function createEmailSearches({ db, secret, limited }: Deps) {
  const hash = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");

  const subjectOf = (who: string) => hash(`email-search:${who}`);

  /** Deletes what was counted of a member. */
  const forget = (accountId: string) =>
    queries.deleteEmailSearches(db, subjectOf(`account:${accountId}`));

  /** The text to compare with emails; null where only names are searched, without a message. */
  async function admit(viewer: Viewer | null, ip: string, query: string): Promise<string | null> {
    const part = emailPartOf(query);
    if (part === null) return null;
    if (!limited) return part;
    // A query that cannot be counted is not admitted.
    const refused = { admitted: false, wait: 0 };
    const { admitted } = await unlessReadOnly(count(viewer, ip, [part]), refused);
    return admitted ? part : null;
  }

  /**
   * Counts addresses, in lower case, by which accounts are about to be looked up: within a request
   * no other email finds anybody. The caller's own email is free, and so are emails that their
   * owners show. Refuses with too-many-attempts. Never inside a transaction: what is rolled back
   * would not be counted.
   */
  async function countAddresses(viewer: Viewer | null, ip: string, addresses: readonly string[]) {
    const own = viewer?.email.toLowerCase();
    // No email is longer, and PostgreSQL's text cannot store a NUL.
    const emails = [...new Set(addresses)].filter(
      (text) => text.indexOf("@") > 0 && text !== own && text.length <= 320 && !text.includes("\0"),
    );
    if (emails.length === 0) return;
    const shown = limited ? await queries.shownEmails(db, emails) : new Set(emails);
    const tried = emails.filter((email) => !shown.has(email));
    const { admitted, wait } =
      tried.length > 0 ? await count(viewer, ip, tried) : { admitted: true, wait: 0 };
    if (admitted) return allowLookups(emails);
    throw tooMany(wait);
  }

  function count(viewer: Viewer | null, ip: string, texts: readonly string[]) {
    const who = viewer ? `account:${viewer.id}` : `network:${networkOf(ip)}`;
    return queries.admitEmailSearches(db, {
      subject: subjectOf(who),
      queries: texts.map((text) => hash(`email-query:${who}:${text}`).slice(0, 22)),
      most: limits.emailSearch.queriesPerHour,
    });
  }

  return { admit, countAddresses, forget };
}

/** `wait` in milliseconds. */
function tooMany(wait: number) {
  return refuse("too-many-attempts", {
    message:
      "You've looked up many different emails in the last hour. Please wait a little, or use usernames.",
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
  });
}
