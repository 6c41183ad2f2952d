import { sql } from "#server/platform/db/sql.ts";
import { listOf } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  accountSummary,
  bioLine,
  knownFollowers,
  lastFollowed,
  notMuted,
  visibleTo,
} from "#server/features/people/index.ts";
import { postPhotos } from "#server/features/posts/post-view.queries.ts";
import { limits } from "#shared/limits.ts";
import type { SuggestedAccount } from "#shared/views.ts";

/**
 * People to follow who have posted something for everyone: first those whom the viewer's followed people
 * follow, the more of them the better, then people who follow the viewer, then those who posted photos or
 * joined last. Among these, accounts with photos come before those without, and new ones last: creating
 * accounts cannot push others aside.
 *
 * People who switched show_in_explore off are suggested like others, without photos. Private accounts are
 * not: a suggestion says that somebody posts.
 *
 * However many accounts there are, it reads 20 × 20 of the first kind, 50 followers, the authors of the
 * newest 400 of recent_photos and the newest 200 accounts, all by index (follows_newest, followers_newest,
 * recent_photos_newest, primary keys). For these 550 candidates at most it looks up together whom the viewer
 * follows or dismissed and who posted; the visibility of the rest is checked by probes.
 */
export const suggestedAccounts = (
  db: Database,
  { viewerId, limit }: { viewerId: string; limit: number },
) =>
  db.column<SuggestedAccount>(sql.named("suggestions.list")`
    with ${candidatesFor(viewerId)},
    ${postingOf(viewerId)},
    ${bestOf(viewerId, limit)},
    known as materialized (${knownFollowers("suggested")})
    select (${accountSummary("a")}::jsonb || jsonb_build_object(
      'bio', ${bioLine("a")},
      'following', false,
      'requested', false,
      'followedBy', known."followedBy",
      'photos', ${newestPhotos}
    )) as item
    from suggested
    cross join lateral (select * from accounts where id = suggested.id limit 1) a
    left join known on known.id = suggested.id
    order by suggested.place
  `);

/**
 * `candidates`: people who may be worth following, how many ties lead to them, and whether they follow the
 * viewer.
 */
const candidatesFor = (viewerId: string) => sql`
  followed as materialized (${lastFollowed(viewerId)}),
  friends_of_followed as materialized (
    select theirs.followee_id as account_id
    from (select id from followed order by position desc limit 20) mine
    cross join lateral (
      select followee_id from follows
      where follower_id = mine.id order by id desc limit 20
    ) theirs
  ),
  own_followers as materialized (
    select follower_id as account_id from followers
    where ${listOf("followee_id", viewerId)} order by id desc limit 50
  ),
  active as materialized (
    select latest.author_id as account_id
    from (
      select distinct on (newest.author_id) newest.author_id, newest.id
      from (
        select author_id, post_id as id from recent_photos order by post_id desc limit 400
      ) newest
      order by newest.author_id, newest.id desc
    ) latest
    order by latest.id desc
    limit 50
  ),
  newcomers as materialized (
    select account_id from account_counters
    where account_id = any(array(select id from accounts order by id desc limit 200))
      and posts > 0
    order by account_id desc
    limit 50
  ),
  candidates as materialized (
    select account_id,
      count(*) filter (where kind = 'near') as ties,
      bool_or(kind = 'follower') as follows_viewer
    from (
      select account_id, 'near' as kind from friends_of_followed
      union all select account_id, 'follower' from own_followers
      union all select account_id, 'active' from active
      union all select account_id, 'new' from newcomers
    ) found
    where account_id <> ${viewerId}
    group by account_id
  )
`;

/** `posting`: the candidates who posted, and whom the viewer neither follows nor dismissed. */
const postingOf = (viewerId: string) => sql`
  left_out as materialized (
    select followee_id as account_id from follows
    where follower_id = ${viewerId}
      and followee_id = any(array(select account_id from candidates))
    union all
    select dismissed_id from (
      select dismissed_id from dismissed_suggestions
      where ${listOf("account_id", viewerId)} order by dismissed_id
      limit ${sql.lit(limits.dismissedSuggestions)}
    ) dismissed
  ),
  posting as materialized (
    select account_id, followers from account_counters
    where account_id = any(array(
      select account_id from candidates except all select account_id from left_out
    )) and posts > coalesce((
      select sum(narrow.posts) from narrow_posts narrow
      where narrow.author_id = account_counters.account_id
    ), 0)
  )
`;

/** `suggested`: the best of those whom the viewer may see, in order. */
const bestOf = (viewerId: string, limit: number) => sql`
  suggested as materialized (
    select candidates.account_id as id, row_number() over (
      order by candidates.ties desc, candidates.follows_viewer desc, photographs desc,
        account.settled desc, posting.followers desc, candidates.account_id desc
    ) as place
    from posting
    join candidates on candidates.account_id = posting.account_id
    cross join lateral (
      select a.created_at < now() - interval '1 day' as settled from accounts a
      where a.id = candidates.account_id and a.private_at is null and ${visibleTo(viewerId, "a")}
        and ${notMuted(viewerId, "a")}
      limit 1
    ) account
    cross join lateral (
      select (
        select true from recent_photos
        where author_id = candidates.account_id order by post_id desc limit 1
      ) is not null as photographs
    ) photo
    order by place
    limit ${limit}
  )
`;

/** Of an account `a` that allows it. */
const newestPhotos = sql`coalesce((
          select json_agg(${postPhotos("p", "a")} -> 0 order by p.id desc)
          from (
            select author_id, post_id from recent_photos
            where author_id = a.id and a.show_in_explore
            order by post_id desc limit ${sql.lit(limits.suggestedPhotos)}
          ) newest
          cross join lateral (
            select * from posts
            where author_id = newest.author_id and id = newest.post_id and audience = 'everyone'
              and not sensitive
            limit 1
          ) p
        ), '[]'::json)`;

/**
 * Records that somebody is not to be suggested again, and drops rows beyond `most` of the member's. False
 * when the other cannot be seen, or is the member. Index dismissed_suggestions_newest.
 */
export const insertDismissed = (
  db: Database,
  { viewerId, otherId, id, most }: { viewerId: string; otherId: string; id: string; most: number },
) =>
  db.any(sql`
    with other as (
      select a.id from accounts a
      where a.id = ${otherId} and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
    ),
    dismissed as (
      insert into dismissed_suggestions (account_id, dismissed_id, id)
      select ${viewerId}::uuid, other.id, ${id}::uuid from other
      on conflict do nothing
    ),
    -- the new row is not visible to this
    dropped as (
      delete from dismissed_suggestions
      where account_id = ${viewerId} and id < (
        select kept.id from (
          select id from dismissed_suggestions
          where account_id = ${viewerId} order by id desc limit ${most - 1}
        ) kept
        order by kept.id
        limit 1
      )
    )
    select id from other
  `);
