import { useEffect, useState } from "react";

/** Any interaction: looking at a page without touching it is none. */
const acts = ["pointermove", "pointerdown", "touchstart", "keydown", "wheel", "scroll", "focusin"];

let acted: Event | null = null;
const waiting = new Set<() => void>();

function onAct(act: Event): void {
  acted = act;
  for (const act of acts) document.removeEventListener(act, onAct, true);
  for (const then of waiting) then();
  waiting.clear();
}

/**
 * Calls back with the first interaction in this tab, at once where there was one before. Browser only.
 * @returns a function that cancels this
 */
export function onFirstInteraction(then: () => void): () => void {
  if (acted) {
    then();
    return () => undefined;
  }
  for (const act of acts) {
    document.addEventListener(act, onAct, { capture: true, passive: true });
  }
  waiting.add(then);
  return () => void waiting.delete(then);
}

/** The first event, as long as the code that handles it is still loading: taken once. */
export function takeFirstInteraction(): Event | null {
  const act = taken ? null : acted;
  taken = true;
  return act;
}
let taken = false;

/** Whether there was an interaction yet: code that only reacts to interactions need not be loaded before. */
export function useHasInteracted(): boolean {
  const [now, setNow] = useState(false);
  useEffect(() => onFirstInteraction(() => setNow(true)), []);
  return now;
}
