import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import * as words from "#messages/feed.json";
import { getJson, errorMessage } from "#app/lib/api-client.ts";
import { scrollBehavior } from "#app/lib/page/scroll-behavior.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { onPull } from "#app/features/feed/on-pull.ts";
import { ArrowDownIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

/**
 * A pull at the top of the home feed reloads it, as "3 new posts" does. The stamp that comes down with the
 * finger, from below the header, lies over the feed: nothing moves.
 */
export function PullToRefresh({ firstId }: { firstId: string }) {
  const { revalidate, state } = useRevalidator();
  const sign = useRef<HTMLOutputElement>(null);
  const busy = useRef(false);
  const [reading, setReading] = useState(false);

  const refresh = useEffectEvent(async () => {
    busy.current = true;
    setReading(true);
    draw(sign.current, 1);
    try {
      // A failed reload would replace the page by its error: check the connection first.
      await getJson(`/api/feed/newer?than=${firstId}`);
      await revalidate();
    } catch (error) {
      notify.error(fill(words.notRefreshed, { problem: errorMessage(error) }));
    }
    busy.current = false;
    setReading(false);
    draw(sign.current, 0);
  });
  const mayPull = useEffectEvent(() => !busy.current && state === "idle");

  useEffect(() => {
    const { style } = document.documentElement;
    // The browser's own pull would load the whole page besides.
    style.overscrollBehaviorY = "none";
    const stop = onPull({
      mayPull: () => mayPull(),
      onMove: (share) => {
        if (!busy.current) draw(sign.current, share);
      },
      onPulled: () => void refresh(),
    });
    return () => {
      style.overscrollBehaviorY = "";
      stop();
    };
  }, []);

  return (
    <div
      data-pull=""
      className="pointer-events-none sticky top-17 z-10 flex h-0 justify-center md:top-2"
    >
      <output
        ref={sign}
        className="mt-3 grid size-11 shrink-0 place-items-center rounded-full border border-line bg-base-100 text-primary opacity-0 shadow-lg transition duration-200"
      >
        {reading ? (
          <>
            <Spinner />
            <span className="sr-only">{words.loadingNewPosts}</span>
          </>
        ) : (
          <ArrowDownIcon className="size-5" aria-hidden />
        )}
      </output>
    </div>
  );
}

/** Its position; set from here, as the content security policy allows no styles in the page. */
function draw(sign: HTMLElement | null, share: number): void {
  if (!sign) return;
  const { style } = sign;
  // Follows the finger at once; moves back with a transition.
  style.transition = share > 0 ? "none" : "";
  style.opacity = String(share);
  if (scrollBehavior() === "instant") return;
  style.translate = `0 ${(share - 1) * 4}rem`;
  style.rotate = `${(share - 1) * 180}deg`;
}
