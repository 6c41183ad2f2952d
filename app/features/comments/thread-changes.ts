import type { CommentThread, CommentView, Page } from "#shared/views.ts";
import { getJson } from "#app/lib/api-client.ts";
import { appendPage } from "#app/lib/lists/older-pages.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";

/** Puts a comment as it is now where it stands; a new answer at the end, once all before it are here. */
export function putComment(comment: CommentView): void {
  changeListed<CommentThread>(comment.rootId ?? comment.id, (thread) => {
    if (comment.rootId === null) return { ...thread, ...comment };
    const { items, nextCursor } = thread.replies;
    if (items.some(({ id }) => id === comment.id)) {
      const replies = items.map((reply) => (reply.id === comment.id ? comment : reply));
      return { ...thread, replies: { items: replies, nextCursor } };
    }
    if (nextCursor !== null) return thread;
    const replyCount = Math.max(thread.replyCount, items.length + 1);
    return { ...thread, replyCount, replies: { items: [...items, comment], nextCursor } };
  });
}

/** Takes a comment out of where it stands; with it go the answers under it. */
export function removeComment({ id, rootId }: Pick<CommentView, "id" | "rootId">): void {
  changeListed<CommentThread>(rootId ?? id, (thread) => {
    if (rootId === null) return null;
    const { items, nextCursor } = thread.replies;
    const left = items.filter((reply) => reply.id !== id);
    if (left.length === items.length) return thread;
    const replyCount = Math.max(0, thread.replyCount - 1);
    return { ...thread, replyCount, replies: { items: left, nextCursor } };
  });
}

/** Reads the answers that follow those which stand here. `path` answers comments. */
export async function loadReplies(path: string, { id, replies }: CommentThread): Promise<void> {
  const cursor = new URLSearchParams({ cursor: replies.nextCursor ?? "" });
  const page = await getJson<Page<CommentView>>(`${path}/${id}/replies?${cursor}`);
  changeListed<CommentThread>(id, (thread) => ({
    ...thread,
    replies: appendPage(thread.replies, page),
  }));
}
