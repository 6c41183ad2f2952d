import { idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { newId as freshId, type NewId } from "#server/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import { removeReactions } from "#server/features/posts/reactions.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import * as queries from "#server/features/posts/likes/likes.queries.ts";
import { checkPostRef } from "#server/features/posts/posts.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications?: Notifier;
  publish: Publish;
  newId?: NewId;
};

/** One like an account and post; the post's count changes with the row. */
export function createLikes({ db, notifications, publish, newId = freshId }: Deps) {
  /** Liking again changes nothing. Answers the count as it is now. */
  async function like(viewer: Viewer, post: PostRef) {
    checkPostRef(post);
    return db.transaction(async () => {
      const row = { ...post, accountId: viewer.id, id: newId() };
      const counted = await queries.insertLike(db, row);
      if (!counted) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      const { likeCount, changed } = counted;
      if (changed) await notifications?.notify.liked(viewer.id, post, changed);
      return { liked: true, likeCount };
    });
  }

  async function unlike(viewer: Viewer, post: PostRef) {
    checkPostRef(post);
    return db.transaction(async () => {
      const counted = await queries.deleteLike(db, { ...post, accountId: viewer.id });
      if (!counted) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      const { likeCount, changed } = counted;
      if (changed) await notifications?.retract.act(post.authorId, changed);
      return { liked: false, likeCount };
    });
  }

  /** Who likes a post, newest first. */
  async function list(viewer: Viewer | null, post: PostRef, cursor: string | null) {
    const below = idBelow(cursor);
    checkPostRef(post);
    const size = limits.accountsPage;
    const page = { ...post, viewerId: viewer?.id ?? null, below, limit: size + 1 };
    const rows = await queries.likersOf(db, page);
    if (!rows) throw refuse("not-found");
    return toPage(rows, size);
  }

  /** Of an account that is deleted: the likes that it gave, and those that its posts got. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: rowsAtOnce };
    for (const owner of ["account_id", "author_id"] as const) {
      await inBatches(db, afterBatch, () => removeReactions(db, "likes", owner, batch));
    }
  }

  return { like, unlike, list, removeAllOf };
}

export type Likes = ReturnType<typeof createLikes>;
