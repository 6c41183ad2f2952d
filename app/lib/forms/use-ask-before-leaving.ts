import { useEffect, useEffectEvent } from "react";
import { useBlocker } from "react-router";
import * as words from "#messages/ui.json";
import { ask } from "#app/ui/ask.ts";

/**
 * If leaving would lose something typed, following a link asks first; closing the window does, in the
 * browser's own words. `unsaved` is called at that moment.
 */
export function useAskBeforeLeaving(
  unsaved: () => boolean,
  { title, text }: { title: string; text: string },
): void {
  const loses = useEffectEvent(unsaved);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (loses()) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);

  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && unsaved(),
  );
  useEffect(() => {
    if (state !== "blocked") return;
    void ask({ title, text, ok: words.leave, cancel: words.stay, danger: true }).then((leaves) =>
      leaves ? proceed() : reset(),
    );
  }, [state, proceed, reset, title, text]);
}
