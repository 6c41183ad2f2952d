import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import {
  knownFollowers,
  lastFollowed,
} from "#server/features/people/follows/followed-by.queries.ts";
import {
  askedOf,
  best,
  noAccounts,
  page,
  shown,
  type AccountSearch,
} from "#server/features/people/search/search-ranks.queries.ts";
import * as steps from "#server/features/people/search/search-steps.queries.ts";
import type { AccountSummary, FoundAccount } from "#shared/views.ts";

/**
 * Accounts whose folded name or username matches. Candidates are bounded, so that a query that
 * half of everybody matches costs as much as any other: the first `bound` names and usernames from the query on, in the order of accounts_search_prefix and accounts_username_prefix; `bound` that have
 * one of `begins` and `bound` that have all of `inside` in accounts_search_grams; and `bound` whose
 * email has the pieces of `emailPart` (accounts_email_grams), of those who may be found by it, and confirmed it where that is possible. Of these, those with the whole query are found. Nothing of an email
 * is in what it answers.
 *
 * Pieces are searched only while those of better rank were fewer than `bound` and do not fill the requested page, and nothing is after a whole email, which accounts_email_key finds. An index of pieces collects every match before it gives the first, so one over a sample of the accounts comes before each (accounts_search_grams_sample,
 * accounts_email_grams_sample): `sampled` with all pieces there are enough, and what has fewer is rare enough
 * for all.
 *
 * The innermost step of a prefix look-up uses only what its index has, and has no upper end and no
 * visibility: with them PostgreSQL expects few rows and would rather read and sort all that there are. What
 * the other steps compare with comes through a subquery to be unknown to it: its guess for the unknown leads
 * to the index.
 * Accounts hidden by a block are left out last, where only those shown are read:
 * a lateral look-up with a limit can only follow the rows of best one by one in their order, so the
 * limit stands without an order of its own (PostgreSQL before 17 does not know that best is sorted,
 * and would look all of them up to sort them again).
 */
export async function searchAccounts(db: Database, search: AccountSearch) {
  const { viewerId } = search;
  const asked = askedOf(db, search);
  return db.query<KeyedRow<FoundAccount>>(sql.named(`search.accounts.${formOf(search)}`)`
    with followed as materialized (${viewerId === null ? noAccounts : lastFollowed(viewerId)}),
    page (wanted) as materialized (${page(asked)}),
    exact as materialized (${steps.exact(asked)}),
    named as materialized (${steps.named(asked)}),
    usernamed as materialized (${steps.usernamed(asked)}),
    room_begun as materialized (${steps.roomBegun(asked)}),
    begun_sample as materialized (${steps.begunSample(asked)}),
    begun as materialized (${steps.begun(asked)}),
    room_matching as materialized (${steps.roomMatching(asked)}),
    matching_sample as materialized (${steps.matchingSample(asked)}),
    matching as materialized (${steps.matching(asked)}),
    room_mailed as materialized (${steps.roomMailed(asked)}),
    mailed_sample as materialized (${steps.mailedSample(asked)}),
    mailed as materialized (${steps.mailed(asked)}),
    best as materialized (${best(asked)}),
    shown as materialized (${shown(asked)}),
    known as materialized (${viewerId === null ? knowsNobody : knownFollowers("shown")})
    select json_build_array(shown.rank, shown.length, shown.name, shown.id) as key,
      shown.item || jsonb_build_object('followedBy', known."followedBy") as item
    from shown
    left join known on known.id = shown.id
    order by shown.rank, shown.length, shown.name, shown.id
  `);
}

/**
 * Limits are written out, and steps that a query does not need are not in its statement: PostgreSQL
 * plans each of a visitor's forms once and for all, and would plan a common one anew for each
 * search.
 */
function formOf({ viewerId, begins, inside, emailPart, ...sizes }: AccountSearch): string {
  const form = [begins, inside, emailPart, viewerId]
    .map((part) => (part === null ? 0 : 1))
    .join("");
  return `${form}.${sizes.bound}.${sizes.sampled}.${sizes.limit}`;
}

/**
 * Of the newest `among` that a member follows, those whose name or username begins with the query;
 * everybody for an empty one. Index follows_newest, then primary keys.
 */
export async function followedBeginning(
  db: Database,
  search: { viewerId: string; query: string; among: number; limit: number },
): Promise<AccountSummary[]> {
  const { viewerId, query, among, limit } = search;
  return db.column<AccountSummary>(sql.named("search.followed")`
    select ${accountSummary("a")} as item
    from (
      select followee_id from follows
      where follower_id = ${viewerId}
      order by id desc
      limit ${among}
    ) f
    cross join lateral (
      select * from accounts a
      where a.id = f.followee_id
        and (starts_with(a.username, ${query}) or starts_with(a.search_name, ${query}))
        and ${visibleTo(viewerId, "a")}
      limit 1
    ) a
    limit ${limit}
  `);
}

/** The accounts a visitor follows: none. */
const knowsNobody = sql`select null::uuid as id, null::json as "followedBy" where false`;
