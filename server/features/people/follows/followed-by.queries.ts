import type { RawBuilder } from "kysely";
import { sql } from "#server/db/sql.ts";
import { probe } from "#server/db/probes.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { notMuted } from "#server/features/people/blocks/muted.queries.ts";
import { limits } from "#shared/limits.ts";
import type { FollowedBy } from "#shared/views.ts";

/**
 * Whom the viewer followed last, for the head of a statement that says `followedBy`:
 * `with followed as materialized (${lastFollowed(viewerId)})`. Whom the viewer muted is not named.
 * Index follows_newest, then a probe each of accounts, blocks and mutes.
 */
export function lastFollowed(viewerId: string | null): RawBuilder<unknown> {
  return sql`
    select f.followee_id as id, f.id as position,
      coalesce(nullif(friend.full_name, ''), friend.username) as name
    from (
      select followee_id, id from follows
      where follower_id = ${viewerId}::uuid order by id desc limit ${sql.lit(limits.knownFollowers)}
    ) f
    cross join lateral (
      select a.full_name, a.username from accounts a
      where a.id = f.followee_id and ${visibleTo(viewerId, "a")} and ${notMuted(viewerId, "a")}
      limit 1
    ) friend
  `;
}

/**
 * Who of `followed` follows the account of an expression: the one the viewer followed last by name,
 * the others counted. Null: nobody. One probe of the primary key of follows for each of `followed`.
 */
export function followedBy(accountId: RawBuilder<unknown>): RawBuilder<FollowedBy | null> {
  return sql<FollowedBy | null>`(
    select case when count(*) > 0 then json_build_object(
      'name', (array_agg(followed.name order by followed.position desc))[1],
      'others', count(*) - 1
    ) end
    from followed
    cross join lateral (
      select true from follows
      where follower_id = followed.id and ${probe("followee_id", accountId)}
    ) follow
  )`;
}

/** The first line of a row's bio that says something. `accounts` is the table's name in the query. */
export function bioLine(accounts: string): RawBuilder<string> {
  return sql<string>`split_part(ltrim(${sql.ref(`${accounts}.bio`)}, E' \\t\\r\\n'), E'\\n', 1)`;
}
