import { bind } from "#server/platform/bind.ts";
import { idAbove, toPage, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import {
  add,
  edit,
  remove,
  removeAll,
  removeAllOf,
  takeDown,
  type CommentDeps,
} from "#server/features/posts/comments/comment-edits.ts";
import * as queries from "#server/features/posts/comments/comments.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import type { ReadThread } from "#server/features/posts/comment-view.queries.ts";
import { markMuted } from "#server/features/posts/muted-posts.ts";
import { checkPostRef } from "#server/features/posts/posts.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { CommentThread, CommentView, Page, Viewer } from "#shared/views.ts";

/**
 * Comments under a post, with one level of replies; the post's count, and that of the comment above a reply,
 * change with the row.
 */
export function createComments(deps: CommentDeps) {
  return {
    ...bind(deps, { add, edit, remove, takeDown, removeAll }),
    ...bind(deps.db, { get, list, listFrom, replies, after, standing, removeAllOf }),
  };
}

export type Comments = ReturnType<typeof createComments>;

async function get(
  db: Database,
  viewer: Viewer | null,
  post: PostRef,
  commentId: string,
): Promise<CommentView> {
  checkPostRef(post);
  const comment = { ...post, id: commentId };
  const view = found(
    isId(commentId) ? await queries.findComment(db, viewer?.id ?? null, comment) : null,
  );
  return markMuted(viewer)(view);
}

/** Comments that are not replies, oldest first, each with its first replies. */
async function list(
  db: Database,
  viewer: Viewer | null,
  post: PostRef,
  cursor: string | null,
): Promise<Page<CommentThread>> {
  return pageAbove(db, viewer, post, idAbove(cursor));
}

/** The same from one comment on, including one that is a reply: for a page that links to it. */
async function listFrom(
  db: Database,
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
  // Nothing where the thread is hidden: the list begins with what comes after it.
  const isShown = first && answers[0]?.item.rootId === first.id;
  const threads = isShown ? [{ ...first, replies: toPage(answers, size) }, ...others] : items;
  return markThreads(viewer, { items: threads, nextCursor });
}

/** Replies to a comment, oldest first. */
async function replies(
  db: Database,
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
  const rows = found(await queries.repliesOf(db, page, { rootId: commentId, above }));
  const { items, nextCursor } = toPage(rows, size);
  return { items: items.map(markMuted(viewer)), nextCursor };
}

/** Comments written after a given one: for a page that already shows all earlier ones. */
async function after(
  db: Database,
  viewer: Viewer | null,
  post: PostRef,
  commentId: string,
): Promise<Page<CommentThread>> {
  if (!isId(commentId)) throw refuse("not-found");
  return pageAbove(db, viewer, post, commentId);
}

/**
 * The ids of those comments from `from` to `to` that still exist: for a page that shows them all. `to` in
 * the response is how far it reaches; the rest is requested from there.
 */
async function standing(
  db: Database,
  viewer: Viewer | null,
  post: PostRef,
  { from, to }: { from: string; to: string },
): Promise<{ ids: string[]; to: string }> {
  checkPostRef(post);
  if (!isId(from) || !isId(to)) throw refuse("not-found");
  const limit = limits.standingComments;
  const range = { ...post, viewerId: viewer?.id ?? null, from, to, limit };
  const ids = found(await queries.standingComments(db, range));
  return { ids, to: ids.length < limit ? to : (ids.at(-1) ?? to) };
}

async function pageAbove(db: Database, viewer: Viewer | null, post: PostRef, above: string) {
  checkPostRef(post);
  const size = limits.commentsPage;
  const page = { ...post, viewerId: viewer?.id ?? null, limit: size + 1 };
  const rows = found(await queries.threadsOf(db, page, { above }));
  return markThreads(viewer, toPage(rows.map(withAnswers), size));
}

/** Threads as the viewer reads them: comments with muted words are marked, in replies too. */
function markThreads(viewer: Viewer | null, page: Page<CommentThread>): Page<CommentThread> {
  const mark = markMuted(viewer);
  const items = page.items.map((thread) => ({
    ...mark(thread),
    replies: { ...thread.replies, items: thread.replies.items.map(mark) },
  }));
  return { ...page, items };
}

/** The replies that are shown, and where the others begin. */
function withAnswers({ key, item }: KeyedRow<ReadThread>): KeyedRow<CommentThread> {
  const answers = item.replies.map((reply) => ({ key: [reply.id], item: reply }));
  return { key, item: { ...item, replies: toPage(answers, limits.repliesShown) } };
}
