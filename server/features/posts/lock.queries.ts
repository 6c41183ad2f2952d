import { sql } from "kysely";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import { visibleTo } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";

/**
 * Locks a post that its counters may change: likes and comments of one post go one after the
 * other, and none slips in while it is deleted. False when it is not there to be seen.
 */
export async function lockPost(db: Database, viewerId: string, ref: PostRef): Promise<boolean> {
  const rows = await db.prepared(
    "posts.lock",
    sql`
      select p.id
      from posts p
      join accounts author on author.id = p.author_id
      where p.author_id = ${ref.authorId} and ${visibleTo(viewerId, "author")}
        and ${probe("p.id", ref.postId)}
      for no key update of p
    `.compile(db.kysely),
  );
  return rows.length > 0;
}

/** Keeps a post from being deleted before the transaction ends, null when it is not there. */
export async function holdPost(
  db: Database,
  viewerId: string,
  ref: PostRef,
): Promise<{ hasPicture: boolean } | null> {
  const [row] = await db.prepared<{ hasPicture: boolean }>(
    "posts.hold",
    sql`
      select p.picture_count > 0 as "hasPicture"
      from posts p
      join accounts author on author.id = p.author_id
      where p.author_id = ${ref.authorId} and ${visibleTo(viewerId, "author")}
        and ${probe("p.id", ref.postId)}
      for key share of p
    `.compile(db.kysely),
  );
  return row ?? null;
}
