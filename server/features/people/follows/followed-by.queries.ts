import { probe } from "#server/platform/db/probes.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { notMuted } from "#server/features/people/blocks/muted.queries.ts";
import { limits } from "#shared/limits.ts";

/**
 * The accounts the viewer followed last, for the head of a statement that uses `knownFollowers`:
 * `with followed as materialized (${lastFollowed(viewerId)})`. Without muted accounts. Index
 * follows_newest, then a probe each of accounts, blocks and mutes.
 */
export function lastFollowed(viewerId: string | null): Sql {
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
 * Which of `followed` follow those of `shown`, both earlier steps with an `id`: by `id` the latest
 * followed by name, the others counted; no row where none of them follows. PostgreSQL 17 and newer
 * walks the primary key of follows with both lists in one scan; older versions would read all that
 * each of `followed` follows, so there each pair is a probe.
 */
export const knownFollowers = (shown: string): Sql => sql`
    with follow as materialized (
      select follower_id, followee_id from follows
      where ${walksAlong} and follower_id = any(array(select id from followed))
        and followee_id = any(array(select id from ${sql.ref(shown)}))
      union all
      select followed.id, other.id from followed cross join ${sql.ref(shown)} as other
      where not ${walksAlong} and (
        select true from follows
        where follower_id = followed.id and ${probe("followee_id", sql`other.id`)}
      )
    )
    select follow.followee_id as id, json_build_object(
      'name', (array_agg(followed.name order by followed.position desc))[1],
      'others', count(*) - 1
    ) as "followedBy"
    from follow
    join followed on followed.id = follow.follower_id
    group by follow.followee_id
  `;

/** Evaluated once a statement, before either branch. */
const walksAlong = sql`current_setting('server_version_num')::integer >= 170000`;

/** The first line of a row's bio that is not blank. `accounts` is the table's name in the query. */
export function bioLine(accounts: string): Sql {
  return sql`split_part(ltrim(${sql.ref(`${accounts}.bio`)}, E' \\t\\r\\n'), E'\\n', 1)`;
}
