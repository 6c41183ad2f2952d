import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/ui.json";
import type { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  list: Pick<ReturnType<typeof useInfiniteList>, "nextCursor" | "state" | "loadMore">;
  /** carries the cursor in the screen's address, for browsers without scripts */
  parameter?: string;
  /** the label of the link there: "Older posts" */
  label: string;
  /** placeholder for the next items, at their size */
  waiting: ReactNode;
};

/** The end of an infinite list: fetches the next page well before one scrolls there. */
export function ListFoot({ list, parameter = "cursor", label, waiting }: Props) {
  const { nextCursor, state, loadMore } = list;
  const hydrated = useHydrated();
  const query = new URLSearchParams(useLocation().search);
  const foot = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!foot.current || nextCursor === null || state !== "idle") return;
    // About two screens ahead of the reader.
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser reports several at once: the last one is current.
        if (entries.at(-1)?.isIntersecting) void loadMore();
      },
      { rootMargin: "0px 0px 2000px 0px" },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [nextCursor, state, loadMore]);

  if (nextCursor === null) return null;
  query.set(parameter, nextCursor);
  return (
    <div ref={foot} aria-live="polite">
      {state === "failed" ? (
        <p className="flex flex-wrap items-center justify-center gap-3 px-4 py-6">
          {words.moreFailed}
          <Button onClick={() => void loadMore()}>{common.tryAgain}</Button>
        </p>
      ) : hydrated ? (
        <>
          {waiting}
          <span className="sr-only">{state === "loading" && words.loadingMore}</span>
        </>
      ) : (
        <p className="px-4 py-6 text-center">
          <Link to={`?${query}`} className="btn">
            {label}
          </Link>
        </p>
      )}
    </div>
  );
}
