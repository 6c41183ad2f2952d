import { useEffect, useEffectEvent, useRef } from "react";
import type { CommentThread, FeedPost, Page } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import type { useComments } from "#app/features/comments/use-comments.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { useLiveCounts } from "#app/lib/live/live.ts";
import { counted } from "#app/lib/text/messages.tsx";

/** The announcement of one's own action is not interrupted for this long, milliseconds. */
const quietMs = 5_000;

type Props = Pick<ReturnType<typeof useComments>, "state" | "after">;
type State = Props["state"];

/** Loads after the page, before the first change: a connection that fails later would cost all later ones. */
const loadReads = async () => import("#app/features/comments/read-changes.ts");

/** Comments that were deleted, or hidden, meanwhile. */
function removeGone({ setOwn }: State, ids: string[]): void {
  const gone = (id: string | null) => id !== null && ids.includes(id);
  setOwn((before) => before.filter(({ id, rootId }) => !gone(id) && !gone(rootId)));
  for (const id of ids) changeListed(id, () => null);
}

/** `page` is the list with what came after its end. */
function showNewer(
  { viewerId, saidAt, setFirst, setSaid }: State,
  page: Page<CommentThread>,
  before: CommentThread[],
): void {
  setFirst(page);
  const known = new Set(before.map(({ id }) => id));
  const others = page.items.filter(({ id, author }) => !known.has(id) && author.id !== viewerId);
  const justSaid = Date.now() - saidAt.current < quietMs;
  if (others.length > 0 && !justSaid) setSaid(counted(words.arrived, others.length));
}

/**
 * Others' comments while one reads: new ones are read and added at the end, where nothing moves that is
 * being read; where there are more to load already, only the count changes. After a deletion it checks
 * which of the listed ones are left, however many pages they came in. Renders nothing. It loads with the
 * page: events from before it listens are lost.
 */
export function LiveComments({ state, after }: Props) {
  const { post, path, count, list, own, reads, setCount } = state;
  const now = useRef({ list, own });
  useEffect(() => {
    now.current = { list, own };
  });
  useEffect(() => void loadReads().catch(() => undefined), []);
  const reading = useRef(false);
  const again = useRef<"more" | "fewer" | null>(null);

  /** One at a time. What fails is read with the next change, or with the page. */
  async function read(): Promise<void> {
    if (reading.current) return;
    reading.current = true;
    try {
      const { findGone, readNewer } = await loadReads();
      while (again.current) {
        const change = again.current;
        again.current = null;
        if (change === "fewer") removeGone(state, await findGone(now.current, path));
        const page = await readNewer(() => now.current.list, path);
        if (page) showNewer(state, page, now.current.list.items);
      }
    } catch {
      again.current = null;
    } finally {
      reading.current = false;
    }
  }

  /** The comments that the event names: edited, replied to or deleted. */
  async function readAgain(ids: string[]): Promise<void> {
    const { readComments } = await loadReads();
    await readComments(ids, path, {
      roots: () => now.current.list.items,
      onChanged: (comment) => after("changed", comment),
    });
  }

  useLiveCounts(post, ({ likeCount, commentCount, comments }) => {
    if (commentCount !== count) {
      const change = commentCount > count ? "more" : "fewer";
      again.current = again.current === "fewer" ? "fewer" : change;
      void read();
    }
    setCount(commentCount);
    changeListed<FeedPost>(post.id, (card) => ({ ...card, likeCount, commentCount }));
    // What fails is read with the page.
    if (comments) void readAgain(comments).catch(() => undefined);
  });

  const readMore = useEffectEvent(() => {
    again.current ??= "more";
    void read();
  });
  useEffect(() => {
    if (reads > 0) readMore();
  }, [reads]);
  return null;
}
