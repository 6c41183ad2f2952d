import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import {
  inBatches,
  inBatchesOfBoth,
  rowsAtOnce,
  type AfterBatch,
} from "#server/features/in-batches.ts";
import * as changes from "#server/features/posts/comments/comment-writes.queries.ts";
import * as queries from "#server/features/posts/comments/comments.queries.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { lockAnyPost, lockPost, type PostAt } from "#server/features/posts/lock.queries.ts";
import { checkPostAt, checkPostRef } from "#server/features/posts/posts.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { writtenIn } from "#shared/languages.ts";
import type { Commenters } from "#shared/posts.ts";
import type { CommentView, Viewer } from "#shared/views.ts";

export type CommentDeps = {
  db: Database;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  publish: Publish;
  newId?: NewId;
};

/**
 * Submitted again with the same clientKey, it returns the first comment. `replyTo` is the comment that it
 * replies to: it is placed under that one or, where that is a reply itself, under the same comment. Refuses
 * with comment-gone where that comment cannot be seen, and with comments-closed or comments-limited people
 * whom the post's author does not let comment.
 */
export async function add(
  { db, notifications, writes, publish, newId = freshId }: CommentDeps,
  viewer: Viewer,
  at: PostAt,
  body: string,
  clientKey: string | null,
  replyTo: string | null = null,
  language: string | null = writtenIn(viewer),
): Promise<CommentView> {
  const comment = { language, ...parseInput(commentInput, { body, clientKey, language }) };
  checkPostAt(at);
  const view = await db.transaction(async () => {
    db.seenAtOnce();
    const locked = found(await lockPost(db, viewer.id, at));
    const { commentsFrom, ...post } = locked;
    const barred = await whyBarred(db, viewer, post, commentsFrom);
    if (barred) {
      // A comment from before comments were closed is returned, however often it is sent again.
      const earlier = await changes.findSubmitted(db, viewer.id, post, comment.clientKey);
      if (!earlier) throw refuse(barred);
      return queries.findComment(db, viewer.id, { ...post, id: earlier });
    }
    const answered = replyTo === null ? null : await findAnswered(db, viewer, post, replyTo);
    // Created while the post is locked, so that ids and commits have the same order.
    const row = {
      ...post,
      ...comment,
      id: newId(),
      rootId: answered?.rootId ?? null,
      accountId: viewer.id,
    };
    const id = await changes.insertComment(db, row);
    changed(publish, post, answered && id);
    // A repeated submit returns the first one's id.
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
async function whyBarred(
  db: Database,
  viewer: Viewer,
  { authorId }: PostRef,
  commentsFrom: Commenters,
) {
  if (commentsFrom === "everyone" || viewer.id === authorId) return null;
  if (commentsFrom === "nobody") return "comments-closed";
  return (await changes.holdFollow(db, authorId, viewer.id)) ? null : "comments-limited";
}

async function findAnswered(db: Database, viewer: Viewer, post: PostRef, id: string) {
  const found = isId(id) ? await queries.findCommentRef(db, viewer.id, { ...post, id }) : null;
  if (!found) throw refuse("comment-gone");
  return found;
}

/**
 * Notifies everyone who has the post open: its counts changed, and, where the counts alone do not show it,
 * which comment changed.
 */
function changed(publish: Publish, { authorId, postId }: PostRef, commentId: string | null): void {
  publish({ kind: "post", authorId, postId, ...(commentId ? { commentId } : {}) });
}

/**
 * Changes the words, and their language where it is said, for a while after it was written. Sent again, it
 * changes nothing. Refuses with not-yours and edit-too-late. Notifies people whom only the new words name.
 */
export async function edit(
  { db, notifications, writes, publish }: CommentDeps,
  viewer: Viewer,
  post: PostRef,
  commentId: string,
  typed: string,
  said?: string | null,
): Promise<CommentView> {
  const input = parseInput(commentInput, { body: typed, clientKey: null, language: said });
  const { body } = input;
  checkPostRef(post);
  if (!isId(commentId)) throw refuse("not-found");
  const comment = { ...post, id: commentId };
  const view = await db.transaction(async () => {
    db.seenAtOnce();
    if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
    const held = found(await changes.lockForEdit(db, comment));
    if (held.accountId !== viewer.id) throw refuse("not-yours");
    const { language = held.language } = input;
    if (held.body !== body || held.language !== language) {
      if (held.late) throw refuse("edit-too-late");
      await changes.writeBody(db, { ...comment, body, language });
      changed(publish, post, commentId);
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

/** Deletes one comment with the replies under it, by its writer or the post's author. */
export async function remove(
  deps: CommentDeps,
  viewer: Viewer,
  post: PostRef,
  commentId: string,
): Promise<number> {
  checkPostRef(post);
  if (!isId(commentId)) throw refuse("not-found");
  return deps.db.transaction(async () => {
    deps.db.seenAtOnce();
    if (!(await lockPost(deps.db, viewer.id, post))) throw refuse("not-found");
    const deleted = await deleteOne(deps, viewer.id, post, commentId);
    if (deleted === null) throw refuse("not-found");
    if (deleted === 0) throw refuse("not-yours");
    return deleted;
  });
}

/** How many were deleted, 0 where `askedBy` may not; null where it does not exist. The post is locked. */
async function deleteOne(
  { db, publish, notifications }: CommentDeps,
  askedBy: string,
  post: PostRef,
  commentId: string,
): Promise<number | null> {
  const found = await changes.deleteComment(db, { ...post, id: commentId, askedBy });
  if (!found || found.deleted.length === 0) return found && 0;
  // The count says it when a whole thread goes; when a reply goes it does not.
  changed(publish, post, found.rootId && commentId);
  await notifications?.retract.comments(post, found.deleted);
  return found.deleted.length;
}

/**
 * One of this writer's comments, with the replies under it, by moderators, in their transaction. It may be
 * gone already.
 */
export async function takeDown(
  deps: CommentDeps,
  writerId: string,
  post: PostRef,
  commentId: string,
): Promise<void> {
  if (await lockAnyPost(deps.db, post)) await deleteOne(deps, writerId, post, commentId);
}

/** All comments of a post, by its author. Returns how many there were. */
export async function removeAll(
  { db, notifications }: CommentDeps,
  viewer: Viewer,
  post: PostRef,
): Promise<number> {
  checkPostRef(post);
  return db.transaction(async () => {
    db.seenAtOnce();
    if (!(await lockPost(db, viewer.id, post))) throw refuse("not-found");
    if (post.authorId !== viewer.id) throw refuse("not-yours");
    const deleted = await changes.deleteComments(db, post);
    await notifications?.retract.comments(post, "all");
    return deleted;
  });
}

/**
 * Of an account that is being deleted: the comments that it wrote, with others' replies to them, and those
 * under its posts.
 */
export async function removeAllOf(
  db: Database,
  accountId: string,
  afterBatch: AfterBatch,
): Promise<void> {
  const batch = { accountId, limit: rowsAtOnce };
  await inBatches(db, afterBatch, () => changes.removeReplies(db, batch));
  await inBatchesOfBoth(db, accountId, afterBatch, (side, each) =>
    changes.removeComments(db, side, each),
  );
}
