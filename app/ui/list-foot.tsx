import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import type { useEndlessList } from "#app/lib/lists/use-endless-list.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  list: Pick<ReturnType<typeof useEndlessList>, "nextCursor" | "state" | "loadMore">;
  /** the same screen, read from a cursor on: for browsers without scripts */
  older: (cursor: string) => string;
  /** what the link is called: "Older posts" */
  label: string;
  /** stands for what comes, at its size */
  waiting: ReactNode;
};

/** The end of an endless list: fetches the next page well before one gets here. */
export function ListFoot({ list, older, label, waiting }: Props) {
  const { nextCursor, state, loadMore } = list;
  const hydrated = useHydrated();
  const foot = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!foot.current || nextCursor === null || state !== "idle") return;
    // About two screens ahead of the reader.
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser tells several at once: of those the last one is true.
        if (entries.at(-1)?.isIntersecting) void loadMore();
      },
      { rootMargin: "0px 0px 2000px 0px" },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [nextCursor, state, loadMore]);

  if (nextCursor === null) return null;
  return (
    <div ref={foot} aria-live="polite">
      {state === "failed" ? (
        <p className="flex flex-wrap items-center justify-center gap-3 px-4 py-6">
          More didn't load.
          <Button onClick={() => void loadMore()}>Try again</Button>
        </p>
      ) : hydrated ? (
        <>
          {waiting}
          <span className="sr-only">{state === "loading" && "Loading more"}</span>
        </>
      ) : (
        <p className="px-4 py-6 text-center">
          <Link to={older(nextCursor)} className="btn">
            {label}
          </Link>
        </p>
      )}
    </div>
  );
}
