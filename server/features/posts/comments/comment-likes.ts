import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { inBatchesOfBoth, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/posts/comments/comment-likes.queries.ts";
import { lockPost } from "#server/features/posts/lock.queries.ts";
import { removeReactions } from "#server/features/posts/reactions.queries.ts";
import { checkPostRef } from "#server/features/posts/posts.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { db: Database; notifications?: Notifier; newId?: NewId };

/**
 * One like per account and comment; the comment's count changes with the row. Streams do not announce it:
 * one heart under a comment is not worth a reload on every screen that shows the post.
 */
export function createCommentLikes({ db, notifications, newId = freshId }: Deps) {
  /** Liking again changes nothing. Returns the new count. */
  async function like(viewer: Viewer, post: PostRef, commentId: string) {
    return locked(viewer, post, commentId, async (row) => {
      const done = found(await queries.insertCommentLike(db, { ...row, id: newId() }));
      const { writerId, likeCount, changed } = done;
      const liked = { id: commentId, accountId: writerId };
      if (changed) await notifications?.notify.commentLiked(viewer.id, post, liked, changed);
      return { liked: true, likeCount: changed ? likeCount + 1 : likeCount };
    });
  }

  async function unlike(viewer: Viewer, post: PostRef, commentId: string) {
    return locked(viewer, post, commentId, async (row) => {
      const { writerId, likeCount, changed } = found(await queries.deleteCommentLike(db, row));
      if (changed) await notifications?.retract.act(writerId, changed);
      return { liked: false, likeCount: changed ? likeCount - 1 : likeCount };
    });
  }

  /** In one transaction with the post locked: liking a comment and deleting it cannot overlap. */
  async function locked<Answer>(
    viewer: Viewer,
    post: PostRef,
    commentId: string,
    act: (row: PostRef & { commentId: string; accountId: string }) => Promise<Answer>,
  ): Promise<Answer> {
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    return db.transaction(async () => {
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      return act({ ...post, commentId, accountId: viewer.id });
    });
  }

  /** Of an account that is being deleted: the likes that it gave, and those under its posts. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    await inBatchesOfBoth(db, accountId, afterBatch, (side, batch) =>
      removeReactions(db, queries.edge, side, batch),
    );
  }

  return { like, unlike, removeAllOf };
}
