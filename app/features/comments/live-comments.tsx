import { useEffect, useEffectEvent } from "react";
import type { FeedPost } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import type { useComments } from "#app/features/comments/use-comments.ts";
import { useLiveComments } from "#app/features/comments/use-live-comments.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { counted } from "#app/lib/text/messages.tsx";

/** The announcement of one's own action is not interrupted for this long, milliseconds. */
const quietMs = 5_000;

type Props = Pick<ReturnType<typeof useComments>, "state" | "after">;

/**
 * Keeps the comments up to date while one reads, and renders nothing. It loads with the page: events from
 * before it listens are lost.
 */
export function LiveComments({ state, after }: Props) {
  const { post, viewerId, path, count, list, own, reads, saidAt } = state;
  const { setFirst, setCount, setOwn, setSaid } = state;
  const readNewer = useLiveComments({
    post,
    count,
    list,
    own,
    path,
    onCounts({ likeCount, commentCount }) {
      setCount(commentCount);
      changeListed<FeedPost>(post.id, (card) => ({ ...card, likeCount, commentCount }));
    },
    onRead(now, fresh) {
      setFirst(now);
      const others = fresh.filter(({ author }) => author.id !== viewerId);
      const justSaid = Date.now() - saidAt.current < quietMs;
      if (others.length > 0 && !justSaid) setSaid(counted(words.arrived, others.length));
    },
    onGone(ids) {
      const gone = (id: string | null) => id !== null && ids.includes(id);
      setOwn((before) => before.filter(({ id, rootId }) => !gone(id) && !gone(rootId)));
      for (const id of ids) changeListed(id, () => null);
    },
    onChanged: (comment) => after("changed", comment),
  });
  const more = useEffectEvent(readNewer);
  useEffect(() => {
    if (reads > 0) more();
  }, [reads]);
  return null;
}
