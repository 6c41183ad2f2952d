import { sql, type Sql } from "#server/platform/db/sql.ts";
import { idTime } from "#server/platform/db/times.ts";
import { notMuted, visibleTo } from "#server/features/people/index.ts";
import { isPostVisible } from "#server/features/posts/index.ts";

/** How many acts of one notification are counted, the newest that may be seen. */
const counted = 100;
/** How many are read for them, where those who did them are hidden. */
const lookedAt = 1000;

/** `away`, `actId`: as `listed` takes them */
type Which = { away?: boolean; actId?: string | undefined };

/** The actors grouped in `n`: how many, the two latest, and the newest act. */
export function whoDid(viewerId: string, { away = false, actId }: Which): Sql {
  const thisAct = actId === undefined ? sql`` : sql`and id = ${actId}`;
  const shown = away
    ? sql`${visibleTo(viewerId, "a")} and ${notMuted(viewerId, "a")}`
    : visibleTo(viewerId, "a");
  return sql`
    select
      count(*)::int as all_of_them,
      coalesce(max(seen.acts) >= ${counted}, false) as cut,
      (array_agg(seen.actor_id order by seen.id desc))[:2] as newest,
      (array_agg(seen.id order by seen.id desc))[1] as latest,
      0 as photos
    from (
      select actor_id, max(id::text)::uuid as id, sum(count(*)) over () as acts
      from (
        select act.actor_id, act.id
        from (
          select actor_id, id from notification_acts
          where account_id = n.account_id and notification_id = n.id ${thisAct}
          order by id desc
          limit ${lookedAt}
        ) act
        cross join lateral (
          select 1 from accounts a where a.id = act.actor_id and ${shown} limit 1
        ) a
        order by act.id desc
        limit ${counted}
      ) acts
      group by actor_id
    ) seen
  `;
}

const at = (id: string) => sql`to_timestamp(${idTime(id)} / 1000.0)`;

/**
 * The same for what was added to the album `n` is about since its first act until a day after its latest, when the
 * next ones are notified of: the two who added latest, and how many photos. Index album_items_by_addition.
 */
export function whoAdded(viewerId: string, { away = false }: Which): Sql {
  const shown = away
    ? sql`and exists (
        select from accounts a where a.id = i.author_id and ${notMuted(viewerId, "a")}
      )`
    : sql``;
  return sql`
    select
      count(*)::int, coalesce(max(seen.acts) >= ${counted}, false),
      (array_agg(seen.author_id order by seen.latest desc))[:2], null::uuid,
      coalesce(max(seen.acts), 0)::int
    from (
      select author_id, max(added_at) as latest, sum(count(*)) over () as acts
      from (
        select i.author_id, i.added_at
        from (
          select * from album_items
          where n.kind = 'album' and owner_id = n.author_id and album_id = n.post_id
            and added_at > ${at("n.id")} - interval '1 minute'
            and added_at < ${at("n.latest_id")} + interval '1 day'
          order by added_at desc
          limit ${lookedAt}
        ) i
        where i.author_id <> ${viewerId}
          and ${isPostVisible(viewerId, sql`i.author_id`, sql`i.post_id`)} ${shown}
        limit ${counted}
      ) added
      group by author_id
    ) seen
  `;
}
