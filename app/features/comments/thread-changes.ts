import type { CommentThread, CommentView, Page } from "#shared/views.ts";
import { getJson } from "#app/lib/api-client.ts";
import { appendPage } from "#app/lib/lists/older-pages.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";

/** Updates a comment in the lists; a new reply is added at the end, once all before it are loaded. */
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

/** Removes a comment from the lists, with its replies. */
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

/** Loads the next replies. `path` answers comments. */
export async function loadReplies(path: string, { id, replies }: CommentThread): Promise<void> {
  const cursor = new URLSearchParams({ cursor: replies.nextCursor ?? "" });
  const page = await getJson<Page<CommentView>>(`${path}/${id}/replies?${cursor}`);
  changeListed<CommentThread>(id, (thread) => ({
    ...thread,
    replies: appendPage(thread.replies, page),
  }));
}
