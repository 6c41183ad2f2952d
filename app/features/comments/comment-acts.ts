import type { CommentView, FeedPost, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { deletedText } from "#app/features/comments/deletion-text.ts";
import { putComment, removeComment } from "#app/features/comments/thread-changes.ts";
import { getJson } from "#app/lib/api-client.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { counted } from "#app/lib/text/messages.tsx";

/*
 * What follows an action on a post's page: the comments, their count, the cards that show some of them
 * elsewhere, and the announcement for screen readers.
 */

type CommentsState = {
  post: PostView;
  count: number;
  setCount: (count: number) => void;
  /** those that were written here */
  setOwn: (change: (before: CommentView[]) => CommentView[]) => void;
  /** how often new comments at the end were requested */
  setReads: (change: (before: number) => number) => void;
  /** time of the last announcement, epoch milliseconds */
  saidAt: { current: number };
  setSaid: (said: string) => void;
};

function changeCards(
  { post }: CommentsState,
  change: (comments: CommentView[]) => CommentView[],
  commentCount: number,
): void {
  changeListed<FeedPost>(post.id, (card) => ({
    ...card,
    commentCount,
    ...(card.comments ? { comments: change(card.comments) } : {}),
  }));
}

/** The current count; the one known here where that cannot be read. */
async function recount({ post, setCount }: CommentsState, known: number): Promise<number> {
  const now = await getJson<FeedPost>(apiPathOf(post)).catch(() => ({ commentCount: known }));
  setCount(now.commentCount);
  return now.commentCount;
}

export async function added(state: CommentsState, comment: CommentView): Promise<void> {
  const { count, saidAt, setOwn, setSaid, setReads } = state;
  saidAt.current = Date.now();
  // Sent again, it is listed already.
  setOwn((before) => [...before.filter(({ id }) => id !== comment.id), comment]);
  // A reply goes below its comment; a comment comes with those that were written before it.
  if (comment.rootId === null) setReads((before) => before + 1);
  else putComment(comment);
  const now = await recount(state, count + 1);
  setSaid(counted(comment.rootId === null ? words.posted : words.replyPosted, now));
  changeCards(state, (shown) => [...shown, comment].slice(-2), now);
}

/** In its newest version: edited, liked, or with a new reply. */
export function changed({ setOwn }: CommentsState, comment: CommentView): void {
  setOwn((before) => before.map((one) => (one.id === comment.id ? comment : one)));
  putComment(comment);
}

export function edited(state: CommentsState, comment: CommentView): void {
  changed(state, comment);
  state.saidAt.current = Date.now();
  state.setSaid(words.changed);
  const put = (one: CommentView) => (one.id === comment.id ? comment : one);
  changeCards(state, (shown) => shown.map(put), state.count);
}

/** `replyCount` is the number of replies deleted with it. */
export async function deleted(state: CommentsState, comment: CommentView): Promise<void> {
  const { count, saidAt, setOwn, setSaid } = state;
  saidAt.current = Date.now();
  const left = ({ id, rootId }: CommentView) => id !== comment.id && rootId !== comment.id;
  setOwn((before) => before.filter(left));
  removeComment(comment);
  const now = await recount(state, Math.max(0, count - 1 - comment.replyCount));
  setSaid(`${deletedText(comment.replyCount)} ${counted(words.left, now)}`);
  changeCards(state, (shown) => shown.filter(left), now);
}
