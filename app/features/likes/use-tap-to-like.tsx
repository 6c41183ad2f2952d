import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import type { Like } from "#app/features/likes/like-button.tsx";
import { lazyComponent } from "#app/ui/lazy-component.tsx";

const HeartBurst = lazyComponent(
  async () => (await import("#app/features/likes/heart-burst.tsx")).HeartBurst,
  () => undefined,
);

/** How long a first tap on a photo waits for a second one, milliseconds. */
const waitMs = 250;

type Tap = (event: MouseEvent, open: () => void, index?: number) => void;

/**
 * One tap (or click) on a photo opens it, two like it and never unlike it. Only those who can like wait for
 * a second one, and no key does. A swipe ends in no click, so it is neither.
 * @returns the click handler, and the heart that pops on the photo of an index
 */
export function useTapToLike(
  { shown, toggle }: Like,
  signedIn: boolean,
): [tap: Tap, heart: (index?: number) => ReactNode] {
  const first = useRef(0);
  const [popped, setPopped] = useState({ index: 0, count: 0 });
  useEffect(() => () => clearTimeout(first.current), []);

  function tap(event: MouseEvent, open: () => void, index = 0): void {
    // Modified clicks open it in a new tab or save it.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    const again = first.current > 0;
    clearTimeout(first.current);
    first.current = 0;
    if (!signedIn || event.detail === 0) open();
    else if (again) {
      if (!shown) toggle();
      setPopped({ index, count: popped.count + 1 });
    } else {
      first.current = window.setTimeout(() => {
        first.current = 0;
        open();
      }, waitMs);
    }
  }

  const heart = (index = 0) =>
    popped.count > 0 && popped.index === index && <HeartBurst key={popped.count} />;
  return [tap, heart];
}
