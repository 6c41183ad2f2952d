import { useEffect, useState } from "react";

/** Whatever a person does: to look at a page without touching it is none of them. */
const acts = ["pointermove", "pointerdown", "touchstart", "keydown", "wheel", "scroll", "focusin"];

let acted: Event | null = null;
const waiting = new Set<() => void>();

function hear(act: Event): void {
  acted = act;
  for (const act of acts) document.removeEventListener(act, hear, true);
  for (const then of waiting) then();
  waiting.clear();
}

/**
 * Calls back with the first thing a person does in this tab, at once where something was done before.
 * Browser only. @returns the way to give it up
 */
export function onFirstInteraction(then: () => void): () => void {
  if (acted) {
    then();
    return () => undefined;
  }
  for (const act of acts) {
    document.addEventListener(act, hear, { capture: true, passive: true });
  }
  waiting.add(then);
  return () => void waiting.delete(then);
}

/** What it was, as long as what answers to it is still being loaded: taken once. */
export function takeFirstInteraction(): Event | null {
  const act = taken ? null : acted;
  taken = true;
  return act;
}
let taken = false;

/** Whether the person has done anything yet: what only answers to them need not be loaded before. */
export function useHasInteracted(): boolean {
  const [now, setNow] = useState(false);
  useEffect(() => onFirstInteraction(() => setNow(true)), []);
  return now;
}
