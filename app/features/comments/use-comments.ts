import { useEffect, useRef, useState } from "react";
import type { CommentView, FeedPost, Page, PostView } from "#shared/views.ts";
import { useLiveComments } from "#app/features/comments/use-live-comments.ts";
import { getJson } from "#app/lib/forms/post-form.ts";
import { inWords } from "#app/lib/text/counts.ts";
import { callPathOf } from "#app/lib/text/links.ts";
import { changeListed, useEndlessList } from "#app/lib/lists/use-endless-list.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

/** What is said of one's own act is not talked over, milliseconds. */
const sayingMs = 5_000;

/** The comments of a post and their count, kept true by what the calls answer and the stream tells. */
export function useComments(post: PostView, read: Page<CommentView>, viewerId: string | null) {
  const [first, setFirst] = useFresh(read);
  const [count, setCount] = useFresh(post.commentCount);
  const [own, setOwn] = useState<CommentView[]>([]);
  const [said, setSaid] = useState("");
  const saidAt = useRef(0);
  const path = `${callPathOf(post)}/comments`;
  const list = useEndlessList(first, path);

  // Just written ones stand at the end, where the list may not have got to yet.
  const listed = new Set(list.items.map(({ id }) => id));
  const ahead = own.filter(({ id }) => !listed.has(id));
  const fresh = own.at(-1)?.id;

  useEffect(() => {
    if (fresh === undefined) return;
    document.querySelector(`#comment-${fresh}`)?.scrollIntoView({ block: "nearest" });
  }, [fresh]);

  const readOn = useLiveComments({
    post,
    count,
    list: { items: list.items, nextCursor: list.nextCursor },
    own,
    path,
    onCounts({ likeCount, commentCount }) {
      setCount(commentCount);
      changeListed<FeedPost>(post.id, (card) => ({ ...card, likeCount, commentCount }));
    },
    onRead(now, fresh) {
      setFirst(now);
      const others = fresh.filter(({ author }) => author.id !== viewerId);
      const justSaid = Date.now() - saidAt.current < sayingMs;
      if (others.length > 0 && !justSaid) setSaid(`${inWords(others.length, "new comment")}.`);
    },
    onGone(ids) {
      setOwn((before) => before.filter(({ id }) => !ids.includes(id)));
      for (const id of ids) changeListed(id, () => null);
    },
  });

  function changeCards(change: (comments: CommentView[]) => CommentView[], commentCount: number) {
    changeListed<FeedPost>(post.id, (card) => ({
      ...card,
      commentCount,
      ...(card.comments ? { comments: change(card.comments) } : {}),
    }));
  }

  /** As many as there are now; what is known here where that cannot be read. */
  async function recount(known: number): Promise<number> {
    const now = await getJson<FeedPost>(callPathOf(post)).catch(() => ({ commentCount: known }));
    setCount(now.commentCount);
    return now.commentCount;
  }

  async function added(comment: CommentView): Promise<void> {
    saidAt.current = Date.now();
    setOwn((before) => [...before.filter(({ id }) => id !== comment.id), comment]);
    readOn();
    const now = await recount(count + 1);
    setSaid(`Comment posted. ${inWords(now, "comment")} in all.`);
    changeCards((shown) => [...shown, comment].slice(-2), now);
  }

  async function deleted(commentId: string): Promise<void> {
    saidAt.current = Date.now();
    setOwn((before) => before.filter(({ id }) => id !== commentId));
    changeListed(commentId, () => null);
    const now = await recount(Math.max(0, count - 1));
    setSaid(`Comment deleted. ${inWords(now, "comment")} left.`);
    changeCards((shown) => shown.filter(({ id }) => id !== commentId), now);
  }

  return { list, ahead, count, said, fresh, added, deleted };
}
