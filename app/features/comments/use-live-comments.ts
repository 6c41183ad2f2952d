import { useEffect, useRef } from "react";
import type { LiveCounts } from "#shared/live.ts";
import type { CommentView, Page, PostView } from "#shared/views.ts";
import { useLiveCounts } from "#app/lib/live.ts";
import { appendPage } from "#app/lib/older-pages.ts";
import { getJson } from "#app/lib/post-form.ts";

type Options = {
  post: PostView;
  /** how many comments are said to be there */
  count: number;
  list: Page<CommentView>;
  /** answers the comments from the first one on; `cursor` and `after` are added */
  path: string;
  /** the list begins with the first comment */
  fromFirst: boolean;
  onCounts: (counts: LiveCounts) => void;
  /** the list as it is now, and what it did not have before */
  onRead: (list: Page<CommentView>, fresh: CommentView[]) => void;
};

/** A list is read again up to so many pages. */
const mostPages = 5;

/**
 * Others' comments while one reads: new ones are read and stand at the end, where nothing moves that
 * is being read; where there are more to load already, only the count changes. After a deletion what
 * is loaded is read again.
 */
export function useLiveComments({ fromFirst, ...options }: Options): void {
  const { post, count, list, path, onCounts, onRead } = options;
  const now = useRef({ list, onRead });
  useEffect(() => {
    now.current = { list, onRead };
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
        const page = await (change === "more" ? readOn() : fromFirst ? readAnew() : null);
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

  async function readOn(): Promise<Page<CommentView> | null> {
    const { items, nextCursor } = now.current.list;
    if (nextCursor !== null) return null;
    const last = items.at(-1)?.id;
    const fresh = await getJson<Page<CommentView>>(last ? `${path}&after=${last}` : path);
    return appendPage(now.current.list, fresh);
  }

  async function readAnew(): Promise<Page<CommentView>> {
    const wanted = now.current.list.items.length;
    let page = await getJson<Page<CommentView>>(path);
    for (let read = 1; read < mostPages && page.nextCursor !== null; read += 1) {
      if (page.items.length >= wanted) break;
      const cursor = encodeURIComponent(page.nextCursor);
      page = appendPage(page, await getJson<Page<CommentView>>(`${path}&cursor=${cursor}`));
    }
    return page;
  }

  useLiveCounts(post, (counts) => {
    if (counts.commentCount !== count) {
      const change = counts.commentCount > count ? "more" : "fewer";
      again.current = again.current === "fewer" ? "fewer" : change;
      void read();
    }
    onCounts(counts);
  });
}
