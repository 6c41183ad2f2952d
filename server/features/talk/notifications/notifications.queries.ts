import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { idTime } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  accountSeen,
  accountSummary,
  albumOpenTo,
  hasRequested,
  inAudience,
  isFollowing,
} from "#server/features/people/index.ts";
import { commentNotBlocked, postPhotos } from "#server/features/posts/index.ts";
import { whoAdded, whoDid } from "#server/features/talk/notifications/who-did.queries.ts";
import { countedKind } from "#server/features/talk/notifications/unread.queries.ts";
import { limits } from "#shared/limits.ts";
import type { NotificationView } from "#shared/notifications.ts";

type Listed = { limit: number; away?: boolean; actId?: string | undefined };

/**
 * The notifications of these rows as their owner may see them now: with somebody visible who did
 * it, and the post and words still there and not hidden by a block. What is sent out (`away`) also
 * leaves out who was muted since: that stays in the list and is pushed nowhere. With `actId` only
 * of this act. Keys and ordered prefixes only.
 */
function listed(viewerId: string, rows: Sql, { limit, ...which }: Listed): Sql {
  return sql`
    select json_build_array(n.latest_id) as key, json_build_object(
      'id', n.id,
      'kind', n.kind,
      'unread', n.unread,
      'at', ${idTime("n.latest_id")},
      'people', named.people,
      'others', who.all_of_them - cardinality(who.newest),
      'moreOthers', who.cut,
      'post', post.item,
      'commentId', said.comment_id,
      'onComment', coalesce(n.kind in ('like', 'comment') and n.subject_id <> n.post_id, false),
      'album', album.item,
      'conversationId', case when n.kind = 'message' then n.subject_id end,
      'text', coalesce(said.text, ''),
      'following', named.following,
      'requested', named.requested
    ) as item
    from (${rows}) n
    cross join lateral (
      ${whoDid(viewerId, which)}
      having n.kind <> 'album'
      union all
      ${whoAdded(viewerId, which)}
      having n.kind = 'album'
    ) who
    cross join lateral (
      select json_agg(${accountSummary("a")} order by place) as people,
        bool_or(case when ${oneFollowed} then ${isFollowing(viewerId, sql`a.id`)} end) as following,
        bool_or(case when ${oneFollowed} then ${hasRequested(viewerId, "a")} end) as requested
      from unnest(who.newest) with ordinality as named (id, place)
      cross join lateral (select * from accounts a where a.id = named.id limit 1) a
    ) named
    left join lateral (${postOf(viewerId)}) post on true
    left join lateral (${albumOf(viewerId)}) album on true
    left join lateral (${wordsOf}) said on true
    where who.all_of_them > 0
      and (n.post_id is null or post.item is not null or album.item is not null)
      and (n.kind not in ('comment', 'mention', 'like', 'alt') or said.text is not null)
    order by n.latest_id desc
    limit ${limit}
  `;
}

/** The viewer may want to follow back who is in `n`. */
const oneFollowed = sql`n.kind = 'follow' and who.all_of_them = 1`;

/** The post that `n` is about, where it may be seen: of a warned one no more than the warning. */
const postOf = (viewerId: string) => sql`
  select coalesce(p.warning, p.caption) as caption, json_build_object(
    'path', '/post/' || author.username || '/' || p.number,
    'hasPicture', p.picture_count > 0,
    'picture', case when not p.sensitive then ${postPhotos("p", "author")} -> 0 end
  ) as item
  from (
    select * from posts
    where author_id = n.author_id and ${probe("posts.id", sql`n.post_id`)}
  ) p
  cross join lateral ${accountSeen(viewerId, "p.author_id", inAudience(viewerId, "p", "a"))} author
`;

/** The album that `n` is about, where it may be seen, and how many photos were added. */
const albumOf = (viewerId: string) => sql`
  select json_build_object('id', al.id, 'title', al.title, 'photos', who.photos) as item
  from (
    select * from albums al
    where n.kind in ('album', 'invited') and al.owner_id = n.author_id
      and ${albumOpenTo(viewerId)} and ${probe("al.id", sql`n.post_id`)}
  ) al
`;

/** The text of the comment, the suggestion, the trouble or the post that `n` is about. */
const wordsOf = sql`
  select c.id as comment_id, left(c.body, 200) as text
  from (
    select case
      when n.kind = 'comment' then who.latest
      when n.kind in ('mention', 'like') and n.subject_id <> n.post_id then n.subject_id
    end as id
  ) wanted
  cross join lateral (
    select * from comments
    where author_id = n.author_id and post_id = n.post_id
      and ${probe("comments.id", sql`wanted.id`)}
  ) c
  where ${commentNotBlocked("c")}
  union all
  select null, left(s.alt, 200)
  from (
    select alt from alt_suggestions
    where author_id = n.author_id and post_id = n.post_id
      and ${probe("alt_suggestions.id", sql`case when n.kind = 'alt' then who.latest end`)}
  ) s
  union all
  select null, left(case when n.kind = 'recovery' then t.recovery else t.said end, 500)
  from (
    select said, recovery from troubles
    where ${probe("troubles.id", sql`case when n.kind in ('trouble', 'recovery') then n.subject_id end`)}
  ) t
  union all
  select null, left(post.caption, 200)
  where n.kind in ('mention', 'like') and n.subject_id = n.post_id
`;

type ListPage = { viewerId: string; mentions: boolean; below: string; limit: number };

/** Newest first. notifications_newest, or notifications_mentions. */
export async function notificationsOf(
  db: Database,
  { viewerId, mentions, below, limit }: ListPage,
) {
  const only = mentions ? sql`kind = 'mention'` : sql`true`;
  const rows = sql`
    select * from notifications
    where account_id = ${viewerId} and ${only} and latest_id < ${below}
    order by latest_id desc
  `;
  const name = `notifications.${mentions ? "mentions" : "list"}`;
  return db.query<KeyedRow<NotificationView>>(
    sql.named(name)`${listed(viewerId, rows, { limit })}`,
  );
}

/** One that is unread and may still be seen, for what is sent later. Primary keys. */
export async function findUnread(db: Database, viewerId: string, id: string, actId?: string) {
  const rows = sql`
    select * from notifications where account_id = ${viewerId} and id = ${id} and unread
  `;
  const which = { limit: 1, away: true, actId };
  const name = actId === undefined ? "notifications.get" : "notifications.get-act";
  const row = await db.first<KeyedRow<NotificationView>>(
    sql.named(name)`${listed(viewerId, rows, which)}`,
  );
  return row?.item ?? null;
}

/** What came unread since an act, newest first: for the daily email. notifications_newest. */
export async function unreadSince(
  db: Database,
  viewerId: string,
  { since, limit }: { since: string; limit: number },
): Promise<NotificationView[]> {
  const rows = sql`
    select * from notifications
    where account_id = ${viewerId} and unread and latest_id > ${since}
    order by latest_id desc
  `;
  const found = await db.query<KeyedRow<NotificationView>>(
    sql.named("notifications.unread-since")`${listed(viewerId, rows, { limit, away: true })}`,
  );
  return found.map(({ item }) => item);
}

/**
 * Marks everything up to an act as read, including what is hidden and what is below the first page.
 * Answers how many unread ones are left, counted to 99. notifications_open.
 */
export async function markRead(
  db: Database,
  { viewerId, to, mentions }: { viewerId: string; to: string; mentions: boolean },
): Promise<number> {
  const here = sql`latest_id <= ${to}::uuid and (kind = 'mention' or not ${mentions}::boolean)`;
  return db.scalar<number>(sql.named("notifications.mark-read")`
    with marked as (
      update notifications set unread = false
      where account_id = ${viewerId} and unread and ${here}
    )
    select count(*)::int as unread from (
      select 1 from notifications n
      where account_id = ${viewerId} and unread and not (${here}) and ${countedKind("n")}
      limit ${limits.notifications.unread}
    ) left_over
  `);
}

/** Primary key. */
export const markTheseRead = (db: Database, viewerId: string, ids: readonly string[]) =>
  db.run(sql`
    update notifications
    set unread = false
    where account_id = ${viewerId} and id = any(${ids}::uuid[])
  `);

/** Of one conversation, when it was read there. */
export const markSubjectRead = (db: Database, viewerId: string, subjectId: string) =>
  db.run(sql`
    update notifications
    set unread = false
    where account_id = ${viewerId} and kind = 'message' and subject_id = ${subjectId} and unread
  `);

/** Read ones whose newest act is below this id. notifications_read. */
export const sweepRead = (db: Database, below: string) =>
  db.run(sql`delete from notifications where not unread and latest_id < ${below}`);
