import { useRevalidator } from "react-router";
import { limits } from "#shared/limits.ts";
import { useNewerCount } from "#app/features/feed/use-newer-count.ts";
import { scrollBehavior } from "#app/lib/scroll-behavior.ts";
import { ArrowUpIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

/** "3 new posts", over the top of the home feed: a press shows them and goes up there. */
export function NewPosts({ firstId }: { firstId: string }) {
  const count = useNewerCount(firstId);
  const { revalidate, state } = useRevalidator();

  async function show(): Promise<void> {
    await revalidate();
    window.scrollTo({ top: 0, behavior: scrollBehavior() });
    document.querySelector<HTMLElement>("#page")?.focus({ preventScroll: true });
  }

  return (
    // It takes no room, so that nothing moves when it comes or goes.
    <output className="pointer-events-none sticky top-17 z-10 flex h-0 justify-center no-print">
      {count > 0 && (
        <button
          type="button"
          onClick={() => void show()}
          className="btn btn-primary pointer-events-auto gap-2 rounded-full shadow-lg motion-appear"
        >
          {state === "idle" ? <ArrowUpIcon className="size-5" aria-hidden /> : <Spinner />}
          {inWords(count)}
        </button>
      )}
    </output>
  );
}

function inWords(count: number): string {
  if (count === 1) return "1 new post";
  return `${count < limits.newerPosts ? count : `${limits.newerPosts}+`} new posts`;
}
