import { sql, type Sql } from "#server/platform/db/sql.ts";
import { probe } from "#server/platform/db/probes.ts";
import { epochMs } from "#server/platform/db/times.ts";
import {
  accountSummary,
  inAudience,
  noBlock,
  usernamesIn,
  visibleTo,
  accountSeen,
} from "#server/features/people/index.ts";
import { limits } from "#shared/limits.ts";
import type { CommentView } from "#shared/views.ts";

/* The views of a comment, built as those of a post are (post-view.queries.ts). */

/**
 * A comment whose writer and the post's author have no block between them: one that stayed under the post of
 * somebody who blocked its writer would be visible to everybody except the person it is about.
 */
export function commentNotBlocked(comments: string): Sql {
  return noBlock(sql.ref(`${comments}.author_id`), sql.ref(`${comments}.account_id`));
}

/** A comment, for one row `c` of comments and its writer's row `writer`. */
export function commentView(viewerId: string | null): Sql {
  return sql`json_build_object(${commentFields(viewerId)})`;
}

/** A thread as it is read: one more reply than is shown means that there are more. */
export type ReadThread = CommentView & { replies: CommentView[] };

/** The same with the first replies under it. comments_replies, by a range as in probe(). */
export function threadView(viewerId: string | null): Sql {
  return sql`json_build_object(${commentFields(viewerId)}, 'replies', coalesce((
    select json_agg(reply.item order by reply.id)
    from (
      select c.id, ${commentView(viewerId)} as item
      from (
        select * from comments r
        where c.reply_count > 0
          and r.author_id = c.author_id and r.post_id = c.post_id
          and r.root_id between c.id and c.id
        order by r.root_id, r.id
      ) c
      cross join lateral ${accountSeen(viewerId, "c.account_id")} writer
      where ${commentNotBlocked("c")}
      order by c.root_id, c.id
      limit ${sql.lit(limits.repliesShown + 1)}
    ) reply
  ), '[]'::json))`;
}

function commentFields(viewerId: string | null): Sql {
  const minutes = sql.lit(limits.commentEditMinutes);
  return sql`
    'id', c.id,
    'rootId', c.root_id,
    'author', ${accountSummary("writer")},
    'body', c.body,
    'language', c.language,
    'mentions', ${usernamesIn("c.body", viewerId)},
    'createdAt', ${epochMs("c.created_at")},
    'editedAt', ${epochMs("c.edited_at")},
    'replyCount', c.reply_count,
    'likeCount', c.like_count,
    -- most comments have no replies
    'liked', c.like_count > 0 and coalesce((
      select true from comment_likes l
      where l.author_id = c.author_id and l.post_id = c.post_id and l.comment_id = c.id
        and ${probe("l.account_id", viewerId)}
    ), false),
    'editable', coalesce(
      c.account_id = ${viewerId}::uuid
        and c.created_at > now() - make_interval(mins => ${minutes}),
      false
    ),
    'deletable', coalesce(${viewerId}::uuid in (c.account_id, c.author_id), false)
  `;
}

/**
 * The comments `c` of `rows` that the viewer may see, each with its post `p` and the rows of its `writer`, the post's
 * `author` and the `starter` of its thread: the post is for them, all three are visible, and no block hides them.
 * Primary keys.
 */
export function visibleComments(viewerId: string | null, rows: Sql): Sql {
  return sql`
    from (${rows}) c
    cross join lateral (
      select * from comments r
      where r.author_id = c.author_id and r.post_id = c.post_id
        and ${probe("r.id", sql`coalesce(c.root_id, c.id)`)}
    ) root
    cross join lateral (select * from accounts a where a.id = c.account_id limit 1) writer
    cross join lateral (select * from accounts a where a.id = root.account_id limit 1) starter
    cross join lateral (
      select author_id, number, audience, album_owner_id, album_id from posts
      where author_id = c.author_id and ${probe("posts.id", sql`c.post_id`)}
    ) p
    cross join lateral (select * from accounts a where a.id = c.author_id limit 1) author
    where ${inAudience(viewerId)} and ${visibleTo(viewerId, "writer")} and ${visibleTo(viewerId, "starter")}
      and ${visibleTo(viewerId, "author")} and ${commentNotBlocked("c")} and ${commentNotBlocked("root")}
  `;
}
