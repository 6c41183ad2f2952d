import { idAbove, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/posts/comments/comments.queries.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { lockPost } from "#server/features/posts/lock.queries.ts";
import { removeReactions } from "#server/features/posts/reactions.queries.ts";
import { checkPostRef } from "#server/features/posts/posts.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { CommentView, Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  publish: Publish;
  newId?: NewId;
};

/** Comments under a post; the post's count changes with the row. */
export function createComments({ db, notifications, writes, publish, newId = freshId }: Deps) {
  /** Submitted again with the same clientKey, it answers the first comment. */
  async function add(
    viewer: Viewer,
    post: PostRef,
    body: string,
    clientKey: string | null,
  ): Promise<CommentView> {
    const comment = parseInput(commentInput, { body, clientKey });
    checkPostRef(post);
    const view = await db.transaction(async () => {
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      // Made while the post is locked, so that ids and commits have the same order.
      const row = { ...post, ...comment, id: newId(), accountId: viewer.id };
      const id = await queries.insertComment(db, row);
      // A submit sent again answers the first one's id.
      if (id === row.id) {
        await writes?.count(viewer, "comments");
        await writes?.count(viewer, "mentions", mentionedIn(row.body).length);
        await notifications?.notify.commented(viewer.id, post, id, row.body);
      }
      return queries.findComment(db, viewer.id, { ...post, id });
    });
    if (!view) throw refuse("not-found");
    return view;
  }

  /** Oldest first. */
  async function list(
    viewer: Viewer | null,
    post: PostRef,
    cursor: string | null,
  ): Promise<Page<CommentView>> {
    return pageAbove(viewer, post, idAbove(cursor));
  }

  /** What was written after a comment: for a page that shows all there was before it. */
  async function after(
    viewer: Viewer | null,
    post: PostRef,
    commentId: string,
  ): Promise<Page<CommentView>> {
    if (!isId(commentId)) throw refuse("not-found");
    return pageAbove(viewer, post, commentId);
  }

  /**
   * Which of the comments from `from` to `to` are there still, by their ids: for a page that shows
   * them all. `to` in the answer is how far it reaches; the rest is asked for from there.
   */
  async function standing(
    viewer: Viewer | null,
    post: PostRef,
    { from, to }: { from: string; to: string },
  ): Promise<{ ids: string[]; to: string }> {
    checkPostRef(post);
    if (!isId(from) || !isId(to)) throw refuse("not-found");
    const limit = limits.standingComments;
    const range = { ...post, viewerId: viewer?.id ?? null, from, to, limit };
    const ids = await queries.standingComments(db, range);
    if (!ids) throw refuse("not-found");
    return { ids, to: ids.length < limit ? to : (ids.at(-1) ?? to) };
  }

  async function pageAbove(viewer: Viewer | null, post: PostRef, above: string) {
    checkPostRef(post);
    const size = limits.commentsPage;
    const page = { ...post, viewerId: viewer?.id ?? null, above, limit: size + 1 };
    const rows = await queries.commentsOf(db, page);
    if (!rows) throw refuse("not-found");
    return toPage(rows, size);
  }

  /** One comment, by its writer or the post's author. */
  async function remove(viewer: Viewer, post: PostRef, commentId: string): Promise<void> {
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    await db.transaction(async () => {
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      const comment = { ...post, id: commentId, askedBy: viewer.id };
      const outcome = await queries.deleteComment(db, comment);
      if (outcome !== "deleted") throw refuse(outcome);
      await notifications?.retract.comment(post, comment.id);
    });
  }

  /** All comments of a post, by its author. Answers how many there were. */
  async function removeAll(viewer: Viewer, post: PostRef): Promise<number> {
    checkPostRef(post);
    return db.transaction(async () => {
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      if (post.authorId !== viewer.id) throw refuse("not-yours");
      const deleted = await queries.deleteComments(db, post);
      await notifications?.retract.comments(post);
      return deleted;
    });
  }

  /** Of an account that is deleted: the comments that it wrote, and those under its posts. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: rowsAtOnce };
    for (const owner of ["account_id", "author_id"] as const) {
      await inBatches(db, afterBatch, () => removeReactions(db, "comments", owner, batch));
    }
  }

  return { add, list, after, standing, remove, removeAll, removeAllOf };
}

export type Comments = ReturnType<typeof createComments>;
