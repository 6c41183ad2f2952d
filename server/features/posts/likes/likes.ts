import { listOfIds, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { inBatchesOfBoth, type AfterBatch } from "#server/features/in-batches.ts";
import { removeReactions } from "#server/features/posts/reactions.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import * as queries from "#server/features/posts/likes/likes.queries.ts";
import type { PostAt } from "#server/features/posts/lock.queries.ts";
import { checkPostAt, checkPostRef } from "#server/features/posts/posts.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications: Notifier;
  publish: Publish;
  newId?: NewId;
};
type Liked = { liked: boolean; likeCount: number };

/** One like per account and post; the post's count changes with the row. */
export function createLikes({ db, notifications, publish, newId = freshId }: Deps) {
  /** Liking again changes nothing. Returns the new count. */
  async function like(viewer: Viewer, at: PostAt): Promise<Liked> {
    checkPostAt(at);
    return db.transaction(async () => {
      const like = { at, accountId: viewer.id, id: newId() };
      const post = changedPost(await queries.insertLike(db, like));
      const { likeCount, changed } = post;
      if (changed) await notifications.notify.liked(viewer.id, post, changed);
      return { liked: true, likeCount: changed ? likeCount + 1 : likeCount };
    });
  }

  async function unlike(viewer: Viewer, at: PostAt): Promise<Liked> {
    checkPostAt(at);
    return db.transaction(async () => {
      const post = changedPost(await queries.deleteLike(db, { at, accountId: viewer.id }));
      const { likeCount, changed } = post;
      if (changed) await notifications.retract.act(post.authorId, changed);
      return { liked: false, likeCount: changed ? likeCount - 1 : likeCount };
    });
  }

  /** Refuses a post that cannot be seen; streams reload the others. */
  function changedPost<Post extends PostRef>(post: Post | null): Post {
    if (!post) throw refuse("not-found");
    publish({ kind: "post", authorId: post.authorId, postId: post.postId });
    return post;
  }

  /** Who likes a post, newest first. */
  const list = (viewer: Viewer | null, post: PostRef, cursor: string | null) =>
    likers(db, viewer, post).page(cursor);

  /** The same between two ids of this list. */
  const between = (viewer: Viewer | null, post: PostRef, range: IdRange) =>
    likers(db, viewer, post).between(range);

  /** Of an account that is being deleted: the likes that it gave, and those that its posts got. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    await inBatchesOfBoth(db, accountId, afterBatch, (side, batch) =>
      removeReactions(db, queries.edge, side, batch),
    );
  }

  return { like, unlike, list, between, removeAllOf };
}

export type Likes = ReturnType<typeof createLikes>;

const likers = (db: Database, viewer: Viewer | null, post: PostRef) =>
  listOfIds(limits.accountsPage, async (range) => {
    checkPostRef(post);
    const page = { ...post, ...range, viewerId: viewer?.id ?? null };
    return found(await queries.likersOf(db, page));
  });
