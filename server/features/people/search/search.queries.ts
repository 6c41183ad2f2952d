import { sql, type Sql } from "#server/db/sql.ts";
import { lowestId, type KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { emailCounts } from "#server/features/people/accounts/address.queries.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { visibleAccount, visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import {
  bioLine,
  knownFollowers,
  lastFollowed,
} from "#server/features/people/follows/followed-by.queries.ts";
import { isFollowing } from "#server/features/people/follows/lists.queries.ts";
import type { AccountSummary, FoundAccount } from "#shared/views.ts";

/**
 * Rank 0: the name begins with the query; 1: the username does, or for one and two characters another
 * word of the name; 2: it is inside; 3: only the email has it. Then shorter.
 */
export type SearchKey = [rank: number, length: number, name: string, id: string];

/** Before every real key. */
export const firstKey: SearchKey = [-1, 0, "", lowestId];

/**
 * Accounts whose folded name or username matches. Candidates are bounded, so that a query that
 * half of everybody matches costs as much as any other: the first `bound` names and usernames from
 * the query on in the order of accounts_search_prefix and accounts_username_prefix; `bound` that have
 * one of `begins` and `bound` that have all of `inside` in accounts_search_grams; and `bound` whose
 * email has the pieces of `emailPart` (accounts_email_grams), of those who let themselves be found by it,
 * and confirmed it where that is possible. Of these, those with the whole are found. Nothing of an email
 * is in what it answers.
 *
 * Pieces are asked for only while those of better rank were fewer than `bound` and do not fill the page that is
 * asked for, and nothing after a whole email, which accounts_email_key finds. An index of pieces collects every match before it gives the first, so
 * one over a sample of the accounts stands before each (accounts_search_grams_sample,
 * accounts_email_grams_sample): `sampled` with all pieces there are enough, and what has fewer is rare enough
 * for all.
 *
 * The innermost step of a prefix look-up takes nothing but what its index has, and has no upper end and no
 * visibility: with them PostgreSQL expects few rows and would rather read and sort all that there are. What
 * the other steps compare with comes through a subquery to be unknown to it: its guess for the unknown leads
 * to the index.
 * Who the viewer may not see for a block is left out last, where only those shown are asked for:
 * a lateral look-up with a limit can only follow the rows of best one by one in their order, so the
 * limit stands without an order of its own (PostgreSQL before 17 does not know that best is sorted,
 * and would look everybody up to sort them again).
 */
export async function searchAccounts(
  db: Database,
  search: {
    viewerId: string | null;
    query: string;
    /** pieces of names, one of which will do; null: none is looked for */
    begins: string[] | null;
    /** pieces that must all be there; null: none is looked for */
    inside: string[] | null;
    /** a part of an email, case-sensitive; null compares no email */
    emailPart: string | null;
    after: SearchKey;
    bound: number;
    /** so many found in a sample are enough; at most `bound` */
    sampled: number;
    limit: number;
  },
): Promise<KeyedRow<FoundAccount>[]> {
  const { viewerId, query, begins, inside, emailPart, after } = search;
  const [bound, sampled, limit] = [search.bound, search.sampled, search.limit].map(sql.lit);
  const asked = { begun: begins !== null, matching: inside !== null, mailed: emailPart !== null };
  const when = (step: keyof typeof asked, rows: Sql) => (asked[step] ? rows : nobody);

  /** What these steps found, each account once, with its place in the order. */
  const placed = (...steps: string[]) => sql`
    select id, char_length(search_name) as length, left(search_name, 40) collate "C" as name,
      case
        when starts_with(search_name, ${query}) then 0
        when strpos(search_name, ${` ${query}`}) > 0
          ${steps.includes("begun") && asked.begun ? sql`or id in (select id from begun)` : sql``} then 1
        when strpos(search_name, ${query}) > 0 then 2
        else 3
      end as rank
    from (${sql.join(
      steps.map((step) => sql`select id, search_name from ${sql.ref(step)}`),
      sql` union `,
    )}) found`;
  const isAfter = sql`(rank, length, name, id)
    > (${after[0]}::int, ${after[1]}::int, ${after[2]}::text, ${after[3]}::uuid)`;
  /**
   * Whether the steps so far leave room for one that finds nothing better than `rank`: they found fewer than
   * `bound`, they do not fill the page with what comes before it, and there is no whole email.
   */
  const room = (rank: number, ...steps: string[]) => sql`
    select ${count("exact")} = 0 and count(*) < ${bound}
      and count(*) filter (where rank < ${sql.lit(rank)} and ${isAfter}) < (select wanted from page) as "left"
    from (${placed(...steps)}) placed`;
  /** What is left of `bound` besides those of a sample: nothing where they are enough. */
  const besides = (sample: string) => sql`
    case when ${count(sample)} < ${sampled} then ${bound} - ${count(sample)} else 0 end`;
  const begun = (grams: Sql) => sql`
    select a.id, a.search_name from accounts a
    where ${grams} && (select ${begins}::text[])
      and ${visibleAccount("a")} and ${roomFor("room_begun")}`;
  const matching = (grams: Sql) => sql`
    select a.id, a.search_name from accounts a
    where ${grams} @> (select ${inside}::text[])
      and ${visibleAccount("a")} and ${roomFor("room_matching")}`;
  const visible = viewerId === null ? visibleAccount("a") : visibleTo(viewerId, "a");
  const byEmail = sql`a.findable_by_email
    and (${emailCounts(db, "a")} ${viewerId === null ? sql`` : sql`or a.id = ${viewerId}::uuid`})
    and ${visibleAccount("a")}`;
  const mailed = (email: Sql) => sql`
    select a.id, a.search_name, a.email_as_typed from accounts a
    where ${byEmail}
      and ${email} @> (select ${emailPart === null ? null : piecesOf(localPart(emailPart))}::text[])
      and ${roomFor("room_mailed")}`;
  // Limits are written out, and what a query does not ask for is not in its statement: PostgreSQL plans each
  // of a visitor's forms once and for all, and would plan a common one anew for each search.
  const form = Object.values({ ...asked, member: viewerId !== null })
    .map(Number)
    .join("");
  const size = `${search.bound}.${search.sampled}.${search.limit}`;
  return db.prepared<KeyedRow<FoundAccount>>(
    `search.accounts.${form}.${size}`,
    sql`
      with followed as materialized (${viewerId === null ? nobody : lastFollowed(viewerId)}),
      page (wanted) as materialized (
        select ${
          viewerId === null
            ? limit
            : sql`case when hidden < ${limit} then hidden + ${limit} else ${bound} end
        from (
          select count(*) as hidden from (
            select from blocks where account_id between ${viewerId}::uuid and ${viewerId}::uuid
            order by account_id, other_id
            limit ${limit}
          ) b
        ) b`
        }
      ),
      exact as materialized (${when(
        "mailed",
        sql`
        select a.id, a.search_name from accounts a
        where a.email = ${emailPart?.toLowerCase() ?? null}::text
          and a.email_as_typed = ${emailPart}::text
          and ${byEmail}`,
      )}),
      named as materialized (
        select a.id, a.search_name
        from (
          select id, search_name, suspended_at, deleted_at from accounts
          where search_name ~>=~ ${query}
          order by search_name using ~<~
          limit ${bound}
        ) a
        where ${count("exact")} = 0
          and starts_with(a.search_name, ${query}) and ${visibleAccount("a")}
      ),
      usernamed as materialized (
        select a.id, a.search_name
        from (
          select id, username, search_name, suspended_at, deleted_at from accounts
          where username ~>=~ ${query}
          order by username using ~<~
          limit ${bound}
        ) a
        where ${count("exact")} = 0
          and starts_with(a.username, ${query}) and ${visibleAccount("a")}
      ),
      room_begun as materialized (${when("begun", room(1, "named", "usernamed"))}),
      begun_sample as materialized (${when(
        "begun",
        sql`${begun(sampledGrams)} and ${inSample} limit ${sampled}`,
      )}),
      begun as materialized (${when(
        "begun",
        sql`
        (${begun(grams)} and not ${inSample} limit ${besides("begun_sample")})
        union all select * from begun_sample`,
      )}),
      room_matching as materialized (${when("matching", room(2, "named", "usernamed", "begun"))}),
      matching_sample as materialized (${when(
        "matching",
        sql`${matching(sampledGrams)} and ${inSample} limit ${sampled}`,
      )}),
      matching as materialized (${when(
        "matching",
        sql`
        select * from (
          (${matching(grams)} and not ${inSample} limit ${besides("matching_sample")})
          union all select * from matching_sample
        ) a
        where strpos(a.search_name, ${query}) > 0`,
      )}),
      room_mailed as materialized (${when("mailed", room(3, "named", "usernamed", "begun", "matching"))}),
      mailed_sample as materialized (${when(
        "mailed",
        sql`${mailed(sampledEmail)} and ${inSample} limit ${sampled}`,
      )}),
      mailed as materialized (${when(
        "mailed",
        sql`
        select id, search_name from (
          (${mailed(email)} and not ${inSample} limit ${besides("mailed_sample")})
          union all select * from mailed_sample
        ) a
        where strpos(a.email_as_typed, ${emailPart}) > 0
        union all select * from exact`,
      )}),
      best as materialized (
        select * from (${placed("named", "usernamed", "begun", "matching", "mailed")}) placed
        where ${isAfter}
        order by rank, length, name, id
      ),
      shown as materialized (
        select best.*, ${accountSummary("a")}::jsonb || jsonb_build_object(
          'bio', ${bioLine("a")},
          'following', ${viewerId === null ? sql`false` : isFollowing(viewerId, sql`a.id`)}
        ) as item
        from best
        cross join lateral (
          select * from accounts a where a.id = best.id and ${visible} limit 1
        ) a
        limit ${limit}
      ),
      known as materialized (${viewerId === null ? knowsNobody : knownFollowers("shown")})
      select json_build_array(shown.rank, shown.length, shown.name, shown.id) as key,
        shown.item || jsonb_build_object('followedBy', known."followedBy") as item
      from shown
      left join known on known.id = shown.id
      order by shown.rank, shown.length, shown.name, shown.id
    `,
  );
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
  const rows = await db.prepared<{ item: AccountSummary }>(
    "search.followed",
    sql`
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
    `,
  );
  return rows.map(({ item }) => item);
}

/** A step that is not asked for. */
const nobody = sql`select null::uuid as id, null::text as search_name where false`;

/** Whom a visitor follows: nobody. */
const knowsNobody = sql`select null::uuid as id, null::json as "followedBy" where false`;

/** Whether there is room for a step, by the step that says so. */
const roomFor = (step: string) => sql`(select "left" from ${sql.ref(step)})`;

/** How many candidates a step of the search found. */
const count = (step: string) => sql`(select count(*) from ${sql.ref(step)})`;

/** One account in 64, by the end of its id, which is random: as the indexes of samples have it. */
const inSample = sql`(get_byte(uuid_send(a.id), 15) < 4)`;

/** As accounts_search_grams and accounts_email_grams have them. */
const grams = sql`search_grams(a.search_name, a.full_name) collate "C"`;
const email = sql`email_grams(a.email_as_typed) collate "C"`;

/** The same as the indexes of samples have them: written so that no other index serves them. */
const sampledGrams = sql`search_grams(substr(a.search_name, 1), a.full_name) collate "C"`;
const sampledEmail = sql`email_grams(substr(a.email_as_typed, 1)) collate "C"`;

/**
 * What to look a part of an email up by: what stands before the domain, if it is long enough. The pieces
 * of a domain that most people share would each be walked through for nothing.
 */
function localPart(emailPart: string): string {
  const end = emailPart.lastIndexOf("@") + 1;
  return end >= longestPiece ? emailPart.slice(0, end) : emailPart;
}

/** The characters in a row that indexes of pieces know at most (migration 0078). */
const longestPiece = 4;

/** Pieces that whatever has the text in it has too: as few as cover it, since each is walked through. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const last = Math.max(0, characters.length - longestPiece);
  const starts = characters.flatMap((_, at) => (at % longestPiece === 0 && at < last ? [at] : []));
  return [...starts, last].map((at) => characters.slice(at, at + longestPiece).join(""));
}
