import { sql, type Sql } from "#server/platform/db/sql.ts";
import { probe } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountIdAt, inAudience, visibleTo, type Asker } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import type { Commenters } from "#shared/posts.ts";

/** A post by its key, or by its address and number in a URL. */
export type PostAt = PostRef | { address: string; number: number };

/**
 * The row of a post `p` that may be seen: primary key of posts, or unique key posts_number. Must end the
 * conditions of a query.
 */
function postAt(db: Database, viewerId: string | null, at: PostAt): Sql {
  if ("postId" in at) return sql`p.author_id = ${at.authorId} and ${probe("p.id", at.postId)}`;
  return sql`p.author_id = ${accountIdAt(db, at.address, viewerId)} and p.number = ${at.number}`;
}

/** The name of a prepared statement with either. */
export const byKey = (name: string, at: PostAt) => ("postId" in at ? `${name}-by-key` : name);

/** A post that can be seen, with its author's row. */
export function visiblePost(db: Database, viewerId: string | null, at: PostAt, columns: Sql): Sql {
  return sql`
    select ${columns}
    from posts p
    join accounts author on author.id = p.author_id
    where ${visibleTo(viewerId, "author")} and ${inAudience(viewerId)} and ${postAt(db, viewerId, at)}
  `;
}

/** Whether a viewer may see the post with this key, of two expressions; not where it is gone. Primary keys. */
export const isPostVisible = (viewer: Asker, authorId: Sql, postId: Sql): Sql => sql`coalesce((
  select ${inAudience(viewer)}
  from accounts author
  cross join lateral (
    select author_id, audience, album_owner_id, album_id from posts
    where author_id = author.id and ${probe("posts.id", postId)}
  ) p
  where author.id = ${authorId} and ${visibleTo(viewer, "author")}
), false)`;

/**
 * Locks a post whose counters may change: likes and comments of one post wait for each other, and none slips
 * in while it is deleted. No row when it cannot be seen. Selects the latest version, even after waiting.
 */
export function lockedPost(db: Database, viewerId: string, at: PostAt, columns: Sql): Sql {
  return sql`${visiblePost(db, viewerId, at, columns)} for no key update of p`;
}

/** Its key, and who may comment on it, which cannot change meanwhile; null when it cannot be seen. */
export async function lockPost(
  db: Database,
  viewerId: string,
  at: PostAt,
): Promise<(PostRef & { commentsFrom: Commenters }) | null> {
  const columns = sql`
    p.author_id as "authorId", p.id as "postId", p.comments_from as "commentsFrom"
  `;
  const locked = lockedPost(db, viewerId, at, columns);
  return db.first<PostRef & { commentsFrom: Commenters }>(
    sql.named(byKey("posts.lock", at))`${locked}`,
  );
}

/** Prevents a post's deletion until the transaction ends; no row when it cannot be seen. */
export function heldPost(db: Database, viewerId: string, at: PostAt, columns: Sql): Sql {
  return sql`${visiblePost(db, viewerId, at, columns)} for key share of p`;
}

/** `lockPost` for moderators, who also decide about posts that are hidden from them. */
export const lockAnyPost = (db: Database, { authorId, postId }: PostRef) =>
  db.any(sql`
    select id from posts where author_id = ${authorId} and id = ${postId} for no key update
  `);
