import { z } from "zod";
import { readCursor, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { firstKey, searchAccounts } from "#server/features/search/search.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { foldQuery } from "#shared/search.ts";
import type { AccountSummary, Page, Viewer } from "#shared/views.ts";

const searchKey = z.tuple([
  z.int32(),
  z.int32(),
  z.string().refine((name) => !name.includes("\0")),
  z.string().refine(isId),
]);

/** Letters that a trigram can be made of: three in a row, or one that begins a word. */
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]/u;

export function createSearch({ db }: { db: Database }) {
  /** By full name or username, without regard to case, spaces and accents. Best match first. */
  async function accounts(
    _viewer: Viewer | null,
    query: string,
    cursor: string | null,
  ): Promise<Page<AccountSummary>> {
    const folded = foldQuery(query);
    if (!folded) {
      throw refuse("input-invalid", { message: "required*", fields: { query: "required*" } });
    }
    const size = limits.accountsPage;
    const rows = await searchAccounts(db, {
      query: folded,
      inside: [...folded].length >= 3 && hasTrigram.test(folded),
      after: readCursor(cursor, searchKey) ?? firstKey,
      bound: limits.searchCandidates,
      limit: size + 1,
    });
    return toPage(rows, size);
  }

  return { accounts };
}
