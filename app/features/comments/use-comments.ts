import { useEffect, useRef, useState, type ReactNode } from "react";
import type { CommentThread, CommentView, Page, PostView } from "#shared/views.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";

/** One's own may not be sent yet: then it says so, and has no actions. */
export type ShownComment = CommentView & { sending?: ReactNode };

/** The comments of a post and their count, kept up to date by the answers of calls and by the stream. */
export function useComments(post: PostView, read: Page<CommentThread>, viewerId: string | null) {
  const [first, setFirst] = useResettableState(read);
  const [count, setCount] = useResettableState(post.commentCount);
  const [own, setOwn] = useState<ShownComment[]>([]);
  const [said, setSaid] = useState("");
  /** how often new comments at the end were requested */
  const [reads, setReads] = useState(0);
  const saidAt = useRef(0);
  const path = `${apiPathOf(post)}/comments`;
  const list = useInfiniteList(first, path);

  // Just written ones are at the end, which the list may not have reached yet.
  const listed = new Set(list.items.map(({ id }) => id));
  const ahead = own.flatMap((comment): (CommentThread & ShownComment)[] =>
    comment.rootId || listed.has(comment.id)
      ? []
      : [{ ...comment, replies: { items: [], nextCursor: null } }],
  );
  /** The same of a thread whose replies are not all loaded yet. */
  const repliesAhead = ({ id, replies: { items } }: CommentThread) =>
    own.filter((reply) => reply.rootId === id && !items.some((known) => known.id === reply.id));
  const fresh = own.at(-1)?.id;

  useEffect(() => {
    if (fresh === undefined) return;
    document.querySelector(`#comment-${fresh}`)?.scrollIntoView({ block: "nearest" });
  }, [fresh]);

  const { items, nextCursor } = list;
  const shown = {
    post,
    viewerId,
    path,
    count,
    reads,
    list: { items, nextCursor },
    own: ahead.filter(({ sending }) => !sending),
  };
  const state = { ...shown, saidAt, setFirst, setCount, setOwn, setSaid, setReads };

  /** What follows an action; its code loads with the first one. */
  function after(act: "added" | "changed" | "edited" | "deleted", comment: CommentView): void {
    // It is shown, whatever happens to the rest.
    if (act === "added") setOwn((before) => [...before, comment]);
    void import("#app/features/comments/comment-acts.ts").then(
      (acts) => acts[act](state, comment),
      () => undefined,
    );
  }

  return { list, ahead, repliesAhead, count, said, fresh, state, after };
}
