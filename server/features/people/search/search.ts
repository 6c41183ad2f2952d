import { z } from "zod";
import { readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { createEmailSearches } from "#server/features/people/search/email-searches.ts";
import { sweepEmailSearches } from "#server/features/people/search/email-searches.queries.ts";
import {
  firstKey,
  type AccountSearch,
} from "#server/features/people/search/search-ranks.queries.ts";
import { piecesOf } from "#server/features/people/search/search-steps.queries.ts";
import {
  followedBeginning,
  searchAccounts,
} from "#server/features/people/search/search.queries.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { foldQuery } from "#shared/search.ts";
import type { AccountSummary, FoundAccount, Page, Viewer } from "#shared/views.ts";

const searchKey = z.tuple([
  z.int32(),
  z.int32(),
  z.string().refine((name) => !name.includes("\0")),
  z.string().refine(isId),
]);

type Deps = { db: Database; secret: string; limited: boolean };

export type Search = ReturnType<typeof createSearch>;

export function createSearch(deps: Deps) {
  const { db } = deps;
  const emailSearches = createEmailSearches(deps);

  /**
   * Searches by any part of full name or username, without regard to case, spaces and accents, and
   * by a part of the email as it was typed, where its owner allows that. One letter matches the
   * beginning of a word. Best match first. Searches by email count for the member, for a visitor's
   * network, and together for visitors of no known `client`.
   */
  async function accounts(
    viewer: Viewer | null,
    query: string,
    cursor: string | null,
    client: Pick<ClientInfo, "ip"> | null = null,
  ): Promise<Page<FoundAccount>> {
    const folded = foldQuery(query);
    if (!folded) {
      throw refuse("input-invalid", { message: "required*", fields: { query: "required*" } });
    }
    const after = readCursor(cursor, searchKey) ?? firstKey;
    const size = limits.accountsPage;
    const emailPart = await emailSearches.admit(viewer, client?.ip ?? "", query);
    const rows = await found(db, viewer, { query: folded, emailPart, after, limit: size + 1 });
    return toPage(rows, size);
  }

  /**
   * Suggestions for a mention: accounts the viewer follows first, then those found by name. Emails
   * are not compared.
   */
  async function offered(viewer: Viewer, typed: string): Promise<AccountSummary[]> {
    const query = foldQuery(typed) ?? "";
    const { shown, followed } = limits.nameCompletions;
    const names = { query, emailPart: null, after: firstKey, limit: 2 * shown + 1 };
    const [near, far] = await Promise.all([
      followedBeginning(db, { viewerId: viewer.id, query, among: followed, limit: shown }),
      query === "" ? [] : found(db, viewer, names),
    ]);
    const known = new Set([viewer.id, ...near.map(({ id }) => id)]);
    const others = far.map(({ item }) => item).filter(({ id }) => !known.has(id));
    return [...near, ...others].slice(0, shown);
  }

  return {
    accounts,
    offered,
    countAddresses: emailSearches.countAddresses,
    /** Deletes what was counted of a member. */
    forget: emailSearches.forget,
    /** Deletes expired counts; worth doing once an hour. */
    sweep: () => sweepEmailSearches(db),
  };
}

type Wanted = Pick<AccountSearch, "query" | "emailPart" | "after" | "limit">;

/** The accounts that a folded query finds. */
function found(db: Database, viewer: Viewer | null, wanted: Wanted) {
  const bounds = { bound: limits.searchCandidates, sampled: limits.searchSampled };
  const viewerId = viewer?.id ?? null;
  return searchAccounts(db, { ...wanted, ...lookups(wanted.query), ...bounds, viewerId });
}

/** What to look a folded query up by in accounts_search_grams, whose pieces the migration 0078 names. */
function lookups(folded: string): { begins: string[] | null; inside: string[] | null } {
  const characters = [...folded];
  if (characters.length === 1) return { begins: [` ${folded}`, folded], inside: null };
  if (characters.length === 2) return { begins: [` ${folded}`], inside: [folded] };
  return { begins: null, inside: piecesOf(folded) };
}
