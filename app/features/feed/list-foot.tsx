import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { useEndlessList } from "#app/lib/use-endless-list.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

type Props = {
  list: Pick<ReturnType<typeof useEndlessList>, "nextCursor" | "state" | "loadMore">;
  /** the same screen, read from a cursor on: for browsers without scripts */
  older: (cursor: string) => string;
  /** what the link is called: "Older posts" */
  label: string;
};

/** The end of an endless list: fetches the next page well before one gets here. */
export function ListFoot({ list: { nextCursor, state, loadMore }, older, label }: Props) {
  const hydrated = useHydrated();
  const foot = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!foot.current || nextCursor === null || state !== "idle") return;
    // About two screens ahead of the reader.
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void loadMore();
      },
      { rootMargin: "0px 0px 2000px 0px" },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [nextCursor, state, loadMore]);

  if (nextCursor === null) return null;
  return (
    <div
      ref={foot}
      className="flex min-h-24 items-center justify-center px-4 py-6"
      aria-live="polite"
    >
      {state === "failed" ? (
        <p className="flex flex-wrap items-center justify-center gap-3">
          The next ones did not load.
          <Button onClick={() => void loadMore()}>Try again</Button>
        </p>
      ) : hydrated ? (
        <output className="text-muted">
          <Spinner className="size-6" />
          <span className="sr-only">Loading more</span>
        </output>
      ) : (
        <Link to={older(nextCursor)} className="btn">
          {label}
        </Link>
      )}
    </div>
  );
}
