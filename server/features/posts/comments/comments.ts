import { idAbove, toPage, type KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/posts/comments/comments.queries.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { lockAnyPost, lockPost } from "#server/features/posts/lock.queries.ts";
import type { ReadThread } from "#server/features/posts/post-view.queries.ts";
import { markMuted } from "#server/features/posts/muted-posts.ts";
import { removeReactions, removeReplies } from "#server/features/posts/reactions.queries.ts";
import { checkPostRef } from "#server/features/posts/posts.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { Commenters } from "#shared/posts.ts";
import type { CommentThread, CommentView, Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  publish: Publish;
  newId?: NewId;
};

/**
 * Comments under a post and, one level deep, what is answered to them; the post's count, and that of
 * the comment above an answer, change with the row.
 */
export function createComments({ db, notifications, writes, publish, newId = freshId }: Deps) {
  /**
   * Submitted again with the same clientKey, it answers the first comment. `replyTo` is the comment
   * that it answers: it stands under that one or, where that is an answer itself, under the same.
   * Refuses with comment-gone what would answer a comment that is not there to be seen, and with
   * comments-closed or comments-limited whom the post's author does not let comment.
   */
  async function add(
    viewer: Viewer,
    post: PostRef,
    body: string,
    clientKey: string | null,
    replyTo: string | null = null,
  ): Promise<CommentView> {
    const comment = parseInput(commentInput, { body, clientKey });
    checkPostRef(post);
    const view = await db.transaction(async () => {
      db.seenAtOnce();
      const commentsFrom = await lockPost(db, viewer.id, post);
      if (!commentsFrom) throw refuse("not-found");
      const barred = await whyBarred(viewer, post, commentsFrom);
      if (barred) {
        // What was written before they were closed is answered, however often it is sent.
        const earlier = await queries.findSubmitted(db, viewer.id, post, comment.clientKey);
        if (!earlier) throw refuse(barred);
        return queries.findComment(db, viewer.id, { ...post, id: earlier });
      }
      const answered = replyTo === null ? null : await findAnswered(viewer, post, replyTo);
      // Made while the post is locked, so that ids and commits have the same order.
      const row = {
        ...post,
        ...comment,
        id: newId(),
        rootId: answered?.rootId ?? null,
        accountId: viewer.id,
      };
      const id = await queries.insertComment(db, row);
      changed(post, answered && id);
      // A submit sent again answers the first one's id.
      if (id === row.id) {
        await writes?.count(viewer, "comments");
        await writes?.count(viewer, "mentions", mentionedIn(row.body).length);
        await notifications?.notify.commented(viewer.id, post, id, row.body, answered);
      }
      return queries.findComment(db, viewer.id, { ...post, id });
    });
    if (!view) throw refuse("not-found");
    return view;
  }

  /** Inside the transaction: a follow that lets somebody comment lasts until its end. */
  async function whyBarred(viewer: Viewer, { authorId }: PostRef, commentsFrom: Commenters) {
    if (commentsFrom === "everyone" || viewer.id === authorId) return null;
    if (commentsFrom === "nobody") return "comments-closed";
    return (await queries.holdFollow(db, authorId, viewer.id)) ? null : "comments-limited";
  }

  async function findAnswered(viewer: Viewer, post: PostRef, id: string) {
    const found = isId(id) ? await queries.findStanding(db, viewer.id, { ...post, id }) : null;
    if (!found) throw refuse("comment-gone");
    return found;
  }

  /**
   * Tells whoever shows the post: its counts changed, and, where they do not say it all, which
   * comment is another one now.
   */
  function changed({ authorId, postId }: PostRef, commentId: string | null): void {
    publish({ kind: "post", authorId, postId, ...(commentId ? { commentId } : {}) });
  }

  async function get(
    viewer: Viewer | null,
    post: PostRef,
    commentId: string,
  ): Promise<CommentView> {
    checkPostRef(post);
    const comment = { ...post, id: commentId };
    const view = isId(commentId)
      ? await queries.findComment(db, viewer?.id ?? null, comment)
      : null;
    if (!view) throw refuse("not-found");
    return markMuted(viewer)(view);
  }

  /**
   * Other words, for a while after it was written. Sent again, it changes nothing. Refuses with
   * not-yours and edit-too-late. People whom only the new words name are told.
   */
  async function edit(
    viewer: Viewer,
    post: PostRef,
    commentId: string,
    typed: string,
  ): Promise<CommentView> {
    const { body } = parseInput(commentInput, { body: typed, clientKey: null });
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    const comment = { ...post, id: commentId };
    const view = await db.transaction(async () => {
      db.seenAtOnce();
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      const held = await queries.lockForEdit(db, comment);
      if (!held) throw refuse("not-found");
      if (held.accountId !== viewer.id) throw refuse("not-yours");
      if (held.body !== body) {
        if (held.late) throw refuse("edit-too-late");
        await queries.writeBody(db, { ...comment, body });
        changed(post, commentId);
        await writes?.count(viewer, "edits");
        const before = new Set(mentionedIn(held.body));
        const fresh = mentionedIn(body).filter((name) => !before.has(name));
        await writes?.count(viewer, "mentions", fresh.length);
        if (fresh.length > 0) {
          await notifications?.notify.commentEdited(viewer.id, comment, body, held.body);
        }
      }
      return queries.findComment(db, viewer.id, comment);
    });
    if (!view) throw refuse("not-found");
    return view;
  }

  /** Those that answer none, oldest first, each with its first answers. */
  async function list(
    viewer: Viewer | null,
    post: PostRef,
    cursor: string | null,
  ): Promise<Page<CommentThread>> {
    return pageAbove(viewer, post, idAbove(cursor));
  }

  /** What is answered under a comment, oldest first. */
  async function replies(
    viewer: Viewer | null,
    post: PostRef,
    commentId: string,
    cursor: string | null,
  ): Promise<Page<CommentView>> {
    const above = idAbove(cursor);
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    const size = limits.commentsPage;
    const page = { ...post, viewerId: viewer?.id ?? null, limit: size + 1 };
    const rows = await queries.repliesOf(db, page, { rootId: commentId, above });
    if (!rows) throw refuse("not-found");
    const { items, nextCursor } = toPage(rows, size);
    return { items: items.map(markMuted(viewer)), nextCursor };
  }

  /** The same from one comment on, answers under it included: for a page that leads to it. */
  async function listFrom(
    viewer: Viewer | null,
    post: PostRef,
    commentId: string,
  ): Promise<Page<CommentThread>> {
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    const size = limits.commentsPage;
    const page = { ...post, viewerId: viewer?.id ?? null, limit: size + 1 };
    const start = { from: commentId };
    const [rows, answers] = await Promise.all([
      queries.threadsOf(db, page, start),
      queries.repliesOf(db, page, start),
    ]);
    if (!rows || !answers) throw refuse("not-found");
    const { items, nextCursor } = toPage(rows.map(withAnswers), size);
    const [first, ...others] = items;
    // Nothing where the thread is hidden: what comes after it begins the list.
    const found = first && answers[0]?.item.rootId === first.id;
    const threads = found ? [{ ...first, replies: toPage(answers, size) }, ...others] : items;
    return markThreads(viewer, { items: threads, nextCursor });
  }

  /** What was written after a comment: for a page that shows all there was before it. */
  async function after(
    viewer: Viewer | null,
    post: PostRef,
    commentId: string,
  ): Promise<Page<CommentThread>> {
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
    const page = { ...post, viewerId: viewer?.id ?? null, limit: size + 1 };
    const rows = await queries.threadsOf(db, page, { above });
    if (!rows) throw refuse("not-found");
    return markThreads(viewer, toPage(rows.map(withAnswers), size));
  }

  /** One comment with the answers under it, by its writer or the post's author. */
  async function remove(viewer: Viewer, post: PostRef, commentId: string): Promise<number> {
    checkPostRef(post);
    if (!isId(commentId)) throw refuse("not-found");
    return db.transaction(async () => {
      db.seenAtOnce();
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      const deleted = await deleteOne(viewer.id, post, commentId);
      if (deleted === null) throw refuse("not-found");
      if (deleted === 0) throw refuse("not-yours");
      return deleted;
    });
  }

  /** How many went, 0 where `askedBy` may not; null where it is not there. The post is locked. */
  async function deleteOne(
    askedBy: string,
    post: PostRef,
    commentId: string,
  ): Promise<number | null> {
    const found = await queries.deleteComment(db, { ...post, id: commentId, askedBy });
    if (!found || found.deleted.length === 0) return found && 0;
    // The count says it of a whole thread; of an answer it does not.
    changed(post, found.rootId && commentId);
    await notifications?.retract.comments(post, found.deleted);
    return found.deleted.length;
  }

  /** One of this writer's, with the answers under it, by moderators, in their transaction. It may be gone already. */
  async function takeDown(writerId: string, post: PostRef, commentId: string): Promise<void> {
    if (await lockAnyPost(db, post)) await deleteOne(writerId, post, commentId);
  }

  /** All comments of a post, by its author. Answers how many there were. */
  async function removeAll(viewer: Viewer, post: PostRef): Promise<number> {
    checkPostRef(post);
    return db.transaction(async () => {
      db.seenAtOnce();
      if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
      if (post.authorId !== viewer.id) throw refuse("not-yours");
      const deleted = await queries.deleteComments(db, post);
      await notifications?.retract.comments(post, "all");
      return deleted;
    });
  }

  /**
   * Of an account that is deleted: the comments that it wrote, with what others answered to them, and
   * those under its posts.
   */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: rowsAtOnce };
    await inBatches(db, afterBatch, () => removeReplies(db, batch));
    for (const owner of ["account_id", "author_id"] as const) {
      await inBatches(db, afterBatch, () => removeReactions(db, "comments", owner, batch));
    }
  }

  return {
    add,
    edit,
    get,
    list,
    listFrom,
    replies,
    after,
    standing,
    remove,
    takeDown,
    removeAll,
    removeAllOf,
  };
}

export type Comments = ReturnType<typeof createComments>;

/** Threads as the viewer reads them: what they muted is marked, in answers too. */
function markThreads(viewer: Viewer | null, page: Page<CommentThread>): Page<CommentThread> {
  const mark = markMuted(viewer);
  const items = page.items.map((thread) => ({
    ...mark(thread),
    replies: { ...thread.replies, items: thread.replies.items.map(mark) },
  }));
  return { ...page, items };
}

/** The answers that are shown, and where the others begin. */
function withAnswers({ key, item }: KeyedRow<ReadThread>): KeyedRow<CommentThread> {
  const answers = item.replies.map((reply) => ({ key: [reply.id], item: reply }));
  return { key, item: { ...item, replies: toPage(answers, limits.repliesShown) } };
}
