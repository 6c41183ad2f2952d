import { useEffect, useRef } from "react";
import type { LiveCounts } from "#shared/live.ts";
import type { CommentThread, CommentView, Page, PostView } from "#shared/views.ts";
import { useLiveCounts } from "#app/lib/live/live.ts";

export type LiveOptions = {
  post: PostView;
  /** the shown number of comments */
  count: number;
  list: Page<CommentThread>;
  /** just written ones, which the list may not have reached yet */
  own: CommentThread[];
  /** answers comments; below it is the address that answers which of them are left */
  path: string;
  onCounts: (counts: LiveCounts) => void;
  /** the list in its newest version, and what it did not have before */
  onRead: (list: Page<CommentThread>, fresh: CommentThread[]) => void;
  /** listed comments that were deleted, or hidden, meanwhile */
  onGone: (ids: string[]) => void;
  /** a comment that was edited, or a new reply */
  onChanged: (comment: CommentView) => void;
};

/** Loads after the page, before the first change: a connection that fails later would cost all later ones. */
const loadReads = async () => import("#app/features/comments/read-changes.ts");

/**
 * Others' comments while one reads: new ones are read and added at the end, where nothing moves that is
 * being read; where there are more to load already, only the count changes. After a deletion it checks
 * which of the listed ones are left, however many pages they came in.
 * @returns reads the new ones at the end
 */
export function useLiveComments(options: LiveOptions): () => void {
  const { post, count, list, own, path, onCounts, onRead, onGone, onChanged } = options;
  const now = useRef({ list, own, onRead, onGone, onChanged });
  useEffect(() => {
    now.current = { list, own, onRead, onGone, onChanged };
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
        if (change === "fewer") {
          const gone = await findGone(now.current, path);
          if (gone.length > 0) now.current.onGone(gone);
        }
        const page = await readNewer(() => now.current.list, path);
        if (!page) continue;
        const known = new Set(now.current.list.items.map(({ id }) => id));
        now.current.onRead(
          page,
          page.items.filter(({ id }) => !known.has(id)),
        );
      }
    } catch {
      again.current = null;
    } finally {
      reading.current = false;
    }
  }

  /** The comments that the event names: edited, replied to or deleted. */
  async function readAgain(ids: string[]): Promise<void> {
    try {
      const { readComments } = await loadReads();
      await readComments(ids, path, () => now.current);
    } catch {
      // They are read with the page.
    }
  }

  useLiveCounts(post, (counts) => {
    if (counts.commentCount !== count) {
      const change = counts.commentCount > count ? "more" : "fewer";
      again.current = again.current === "fewer" ? "fewer" : change;
      void read();
    }
    onCounts(counts);
    if (counts.comments) void readAgain(counts.comments);
  });

  return () => {
    again.current ??= "more";
    void read();
  };
}
