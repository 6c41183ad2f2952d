import { useEffect, useRef } from "react";
import type { LiveCounts } from "#shared/live.ts";
import type { CommentView, Page, PostView } from "#shared/views.ts";
import { useLiveCounts } from "#app/lib/live/live.ts";
import { appendPage } from "#app/lib/lists/older-pages.ts";
import { getJson } from "#app/lib/forms/post-form.ts";

type Options = {
  post: PostView;
  /** how many comments are said to be there */
  count: number;
  list: Page<CommentView>;
  /** just written ones, that the list may not have got to yet */
  own: CommentView[];
  /** answers comments; below it stands which of them are left */
  path: string;
  onCounts: (counts: LiveCounts) => void;
  /** the list as it is now, and what it did not have before */
  onRead: (list: Page<CommentView>, fresh: CommentView[]) => void;
  /** what stands here and was deleted, or hidden, meanwhile */
  onGone: (ids: string[]) => void;
};

type Standing = { ids: string[]; to: string };

/**
 * Others' comments while one reads: new ones are read and stand at the end, where nothing moves that
 * is being read; where there are more to load already, only the count changes. After a deletion it is
 * asked which of those that stand here are left, however many pages they came in.
 * @returns reads what is new at the end
 */
export function useLiveComments(options: Options): () => void {
  const { post, count, list, own, path, onCounts, onRead, onGone } = options;
  const now = useRef({ list, own, onRead, onGone });
  useEffect(() => {
    now.current = { list, own, onRead, onGone };
  });
  const reading = useRef(false);
  const again = useRef<"more" | "fewer" | null>(null);

  /** One at a time. What fails is read with the next change, or with the page. */
  async function read(): Promise<void> {
    if (reading.current) return;
    reading.current = true;
    try {
      while (again.current) {
        const change = again.current;
        again.current = null;
        if (change === "fewer") {
          const gone = await findGone();
          if (gone.length > 0) now.current.onGone(gone);
        }
        const page = await readOn();
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

  /** What came after the end, when one is there. */
  async function readOn(): Promise<Page<CommentView> | null> {
    const { items, nextCursor } = now.current.list;
    if (nextCursor !== null) return null;
    const last = items.at(-1)?.id;
    const fresh = await getJson<Page<CommentView>>(last ? `${path}?after=${last}` : path);
    return appendPage(now.current.list, fresh);
  }

  /** The list is one range, each of one's own beyond it another. */
  async function findGone(): Promise<string[]> {
    const { list, own } = now.current;
    const listed = list.items.map(({ id }) => id);
    const beyond = own.flatMap(({ id }) => (listed.includes(id) ? [] : id));
    const standing = new Set<string>();
    for (const ids of [listed, ...beyond.map((id) => [id])]) {
      const to = ids.at(-1);
      if (to === undefined) continue;
      for (let from = ids[0] ?? to, reached = ""; reached !== to; from = reached) {
        const left = await getJson<Standing>(`${path}/standing?from=${from}&to=${to}`);
        for (const id of left.ids) standing.add(id);
        reached = left.to;
      }
    }
    return [...listed, ...beyond].filter((id) => !standing.has(id));
  }

  useLiveCounts(post, (counts) => {
    if (counts.commentCount !== count) {
      const change = counts.commentCount > count ? "more" : "fewer";
      again.current = again.current === "fewer" ? "fewer" : change;
      void read();
    }
    onCounts(counts);
  });

  return () => {
    again.current ??= "more";
    void read();
  };
}
