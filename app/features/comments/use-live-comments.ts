import { useEffect, useRef } from "react";
import type { LiveCounts } from "#shared/live.ts";
import type { CommentThread, CommentView, Page, PostView } from "#shared/views.ts";
import { useLiveCounts } from "#app/lib/live/live.ts";

export type LiveOptions = {
  post: PostView;
  /** how many comments are said to be there */
  count: number;
  list: Page<CommentThread>;
  /** just written ones, that the list may not have got to yet */
  own: CommentThread[];
  /** answers comments; below it stands which of them are left */
  path: string;
  onCounts: (counts: LiveCounts) => void;
  /** the list as it is now, and what it did not have before */
  onRead: (list: Page<CommentThread>, fresh: CommentThread[]) => void;
  /** what stands here and was deleted, or hidden, meanwhile */
  onGone: (ids: string[]) => void;
  /** a comment that was edited, or an answer that came */
  onChanged: (comment: CommentView) => void;
};

/** Comes after the page, before the first change: a line that breaks on the way would cost all later ones. */
const loadReads = async () => import("#app/features/comments/read-changes.ts");

/**
 * Others' comments while one reads: new ones are read and stand at the end, where nothing moves that
 * is being read; where there are more to load already, only the count changes. After a deletion it is
 * asked which of those that stand here are left, however many pages they came in.
 * @returns reads what is new at the end
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
      const { findGone, readOn } = await loadReads();
      while (again.current) {
        const change = again.current;
        again.current = null;
        if (change === "fewer") {
          const gone = await findGone(now.current, path);
          if (gone.length > 0) now.current.onGone(gone);
        }
        const page = await readOn(() => now.current.list, path);
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

  /** What the stream names: edited, answered or deleted. */
  async function readAgain(ids: string[]): Promise<void> {
    try {
      const { readComments } = await loadReads();
      await readComments(ids, path, () => now.current);
    } catch {
      // It is read with the page.
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
