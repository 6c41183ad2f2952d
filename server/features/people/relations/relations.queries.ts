import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields } from "#server/platform/db/fields.ts";
import { probe } from "#server/platform/db/probes.ts";
import { usernamesIn } from "#server/features/people/accounts/mentions.queries.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import {
  isFollowing,
  visibleAccount,
  visiblePostCounts,
  visibleTo,
  accountSeen,
} from "#server/features/people/accounts/visibility.queries.ts";
import { ms } from "#server/platform/db/times.ts";
import { muteLasts } from "#server/features/people/blocks/muted.queries.ts";
import { noteAbout } from "#server/features/people/notes/notes.queries.ts";
import { hasRequested } from "#server/features/people/follows/lists.queries.ts";
import { jsonExtras, shownFields } from "#server/features/people/profiles/profiles.queries.ts";
import { lastFollowed } from "#server/features/people/follows/followed-by.queries.ts";
import type { ShownField } from "#shared/profiles.ts";
import { settings, type OpenSettings } from "#shared/settings.ts";
import type { AccountSummary, ProfileView } from "#shared/views.ts";

/** An account with its profile's header. */
export type AccountDetails = OpenSettings &
  Record<ShownField, string> &
  Pick<ProfileView, "websiteVerifiedAt" | "extraFields"> & {
    account: AccountSummary;
    mentions: string[];
    isPrivate: boolean;
    posts: number;
    followers: number;
    following: number;
  };

const openSettings = Object.fromEntries(
  Object.values(settings).flatMap(({ apps, column }) => (apps ? [[apps, { column }]] : [])),
);

/** The same as one value, of `account` in a query whose viewer may see it. Primary key of account_counters. */
export function detailsOfRow(account: string, viewerId: string | null): Sql {
  const of = (column: string) => sql.ref(`${account}.${column}`);
  return sql`(
    select json_build_object(
      'account', ${accountSummary(account)},
      ${jsonFields(account, shownFields)},
      ${jsonExtras(account)},
      'mentions', ${usernamesIn(`${account}.bio`, viewerId)},
      ${jsonFields(account, openSettings)},
      'isPrivate', ${of("private_at")} is not null,
      'posts', (select posts from (${visiblePostCounts(viewerId, account, "counted")}) seen),
      'followers', counted.followers, 'following', counted.following
    )
    from account_counters counted where counted.account_id = ${of("id")} limit 1
  )`;
}

/** Those of these ids that the viewer may see, in their order. Primary keys. */
export async function detailsOf(db: Database, viewerId: string | null, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.column<AccountDetails>(sql.named("relations.details")`
    select ${detailsOfRow("a", viewerId)} as item
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    cross join lateral ${accountSeen(viewerId, "wanted.id")} a
    order by wanted.place
  `);
}

/**
 * The accounts that these names, current or former, lead the viewer to. Primary keys of usernames
 * and accounts.
 */
export async function named(db: Database, viewerId: string | null, names: readonly string[]) {
  if (names.length === 0) return [];
  return db.query<{ written: string; id: string; username: string }>(sql.named("relations.named")`
    select wanted.name as written, a.id, a.username
    from unnest(${[...names]}::text[]) as wanted (name)
    cross join lateral (
      select account_id from usernames u where u.username = wanted.name limit 1
    ) known
    cross join lateral (
      select id, username from accounts a
      where a.id = known.account_id and ${visibleTo(viewerId, "a")} limit 1
    ) a
  `);
}

/** Accounts with this decimal id, visible or not. accounts_decimal_id. */
export const idsWith = (db: Database, decimals: readonly string[]) =>
  db.query<{ id: string; decimal: string }>(sql.named("relations.by-decimal")`
    select a.id, wanted.id::text as decimal
    from unnest(${[...decimals]}::bigint[]) as wanted (id)
    cross join lateral (
      select id from accounts a where decimal_id(a.id) = wanted.id limit 2
    ) a
  `);

/** The viewer's relation to another account. That it blocked the viewer is never shown. */
export type Relation = {
  id: string;
  following: boolean;
  requested: boolean;
  requestedBy: boolean;
  followedBy: boolean;
  blocking: boolean;
  muting: boolean;
  /** when the mute ends, in epoch milliseconds; null: when the viewer ends it */
  mutedUntil: number | null;
  /** what the viewer noted about it; empty: nothing */
  note: string;
};

/** Those of these ids that exist, including those the viewer blocked. Primary keys. */
export async function relationsTo(db: Database, viewerId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.query<Relation>(sql.named("relations.relations")`
    select a.id,
      ${isFollowing(viewerId, sql`a.id`)} as following,
      ${hasRequested(viewerId, "a")} as requested,
      coalesce((select true from follow_requests
        where account_id = ${viewerId} and ${probe("requester_id", sql`a.id`)}), false) as "requestedBy",
      ${isFollowing(sql`a.id`, sql`${viewerId}::uuid`)} as "followedBy",
      coalesce((select own from blocks
        where account_id = ${viewerId} and other_id = a.id limit 1), false) as blocking,
      coalesce(muted.lasts, false) as muting, muted.until as "mutedUntil",
      ${noteAbout(viewerId, sql`a.id`)} as note
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    cross join lateral (
      select id, private_at from accounts a where a.id = wanted.id and ${visibleAccount("a")} limit 1
    ) a
    left join lateral (
      select true as lasts, ${ms("ends_at")} as until from mutes
      where account_id = ${viewerId} and muted_id = a.id and ${muteLasts} limit 1
    ) muted on true
    order by wanted.place
  `);
}

/**
 * Which of those that the viewer followed last (500 at most) also follow each of these accounts:
 * the latest first, so many of each. follows_newest, then a probe of the primary key of follows for
 * each pair.
 */
export async function familiarFollowers(
  db: Database,
  viewerId: string,
  ids: readonly string[],
  most: number,
): Promise<{ of: string; id: string }[]> {
  if (ids.length === 0) return [];
  return db.query<{ of: string; id: string }>(sql.named("relations.familiar")`
    with followed as materialized (${lastFollowed(viewerId)})
    select wanted.id as of, friend.id
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    cross join lateral (
      select a.id from accounts a where a.id = wanted.id and ${visibleTo(viewerId, "a")} limit 1
    ) target
    cross join lateral (
      select followed.id, followed.position from followed
      cross join lateral (
        select true from follows
        where follower_id = followed.id and ${probe("followee_id", sql`target.id`)}
      ) follow
      order by followed.position desc limit ${most}
    ) friend
    order by wanted.place, friend.position desc
  `);
}

type Marker = { timeline: string; last_read_id: string; version: number; updated_at: Date };

/** Primary key of read_markers. */
export const markersOf = (db: Database, accountId: string) =>
  db.query<Marker>(sql`
    select timeline, last_read_id, version, updated_at
    from read_markers
    where account_id = ${accountId}
  `);

export const writeMarker = (
  db: Database,
  accountId: string,
  { timeline, lastReadId }: { timeline: string; lastReadId: string },
) =>
  db.run(sql`
    insert into read_markers (account_id, timeline, last_read_id)
    values (${accountId}, ${timeline}, ${lastReadId}::bigint)
    on conflict (account_id, timeline) do update set
      last_read_id = excluded.last_read_id, version = read_markers.version + 1, updated_at = now()
  `);
