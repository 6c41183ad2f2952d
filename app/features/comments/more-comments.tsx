import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import type { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

type Props = {
  list: Pick<ReturnType<typeof useInfiniteList>, "nextCursor" | "state" | "loadMore">;
  /** of the post: without scripts the next comments are a page of their own */
  path: string;
};

/** Loads newer comments. By a button, not by scrolling, so that what follows the list stays in reach. */
export function MoreComments({ list: { nextCursor, state, loadMore }, path }: Props) {
  const hydrated = useHydrated();
  if (nextCursor === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 py-4" aria-live="polite">
      {state === "failed" && <p>{words.moreFailed}</p>}
      {hydrated ? (
        <Button pending={state === "loading"} onClick={() => void loadMore()}>
          {state === "failed" ? common.tryAgain : words.showMore}
        </Button>
      ) : (
        <ButtonLink to={`${path}?${new URLSearchParams({ cursor: nextCursor })}#comments`}>
          {words.showMore}
        </ButtonLink>
      )}
    </div>
  );
}
