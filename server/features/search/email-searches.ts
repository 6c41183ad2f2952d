import { createHmac } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { whereWritable } from "#server/db/faults.ts";
import { networkOf } from "#server/features/identity/networks.ts";
import {
  admitEmailSearch,
  deleteEmailSearches,
} from "#server/features/search/email-searches.queries.ts";
import { limits } from "#shared/limits.ts";
import { emailPartOf } from "#shared/search.ts";
import type { Viewer } from "#shared/views.ts";

/** What a person typed is an email's part only with a trigram in it: without, no index helps. */
const hasTrigram = /[a-z0-9]{3}|[a-z0-9]{2}[^a-z0-9]|[^a-z0-9][a-z0-9]/i;

type Deps = {
  db: Database;
  secret: string;
  /** false counts nothing */
  limited: boolean;
};

/**
 * A search by parts of an email could be grown letter by letter into a private email. So it is
 * counted: at most 30 different queries in any hour, of a member or a visitor's network; typing
 * the same again is free. Keys are keyed hashes, as in identity/limits.ts.
 */
export function createEmailSearches({ db, secret, limited }: Deps) {
  const hash = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");

  const subjectOf = (who: string) => hash(`email-search:${who}`);

  /** Deletes what was counted of a member. */
  const forget = (accountId: string) => deleteEmailSearches(db, subjectOf(`account:${accountId}`));

  /** The text to compare with emails; null where names alone are searched, which nobody is told. */
  async function admit(viewer: Viewer | null, ip: string, query: string): Promise<string | null> {
    const part = emailPartOf(query);
    if (part === null || !hasTrigram.test(part)) return null;
    if (!limited) return part;
    const who = viewer ? `account:${viewer.id}` : `network:${networkOf(ip)}`;
    const counted = admitEmailSearch(db, {
      subject: subjectOf(who),
      query: hash(`email-query:${who}:${part}`).slice(0, 22),
      most: limits.emailSearch.queriesPerHour,
    });
    // What cannot be counted is not admitted.
    const admitted = await whereWritable(counted, false);
    return admitted ? part : null;
  }

  return { admit, forget };
}
