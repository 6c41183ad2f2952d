import { interceptHistory } from "#app/lib/page/history-steps.ts";

/*
 * An overlay on a page that closes on Back: it has a history entry of its own. The router is not notified
 * of these entries, or it would read the page again on the way.
 */

type Entry = { over?: true; key?: string };

/** closes the overlay on Back */
let opened: (() => void) | null = null;
/** The entry is being left: a second press must not leave the page as well. */
let leaving = false;
/** of the page below, as the router names it */
let pageKey = "";
/** of the page that the router shows */
let routerKey = "";
/** A stale entry is being left for its neighbour. */
let skipping = false;

const keyOf = ({ key = "default" }: Entry) => key;
const entry = () => (window.history.state ?? {}) as Entry;

/** `onBack` is called once, however one goes back. */
export function enterOverlay(onBack: () => void): void {
  interceptHistory(popped);
  opened = onBack;
  leaving = false;
  pageKey = keyOf(entry());
  if (!entry().over) window.history.pushState({ ...entry(), over: true }, "");
}

/** Goes back to the page; calls the `onBack` of `enterOverlay`. */
export function leaveOverlay(): void {
  if (leaving) return;
  leaving = true;
  window.history.back();
}

/** The overlay was removed without Back: leaves its entry too, unless it opens again at once. */
export function quitOverlay(): void {
  opened = null;
  setTimeout(() => {
    if (!opened && entry().over && !leaving && !skipping) back();
  });
}

/** Called with every page the router shows: stale entries are skipped. */
export function skipStaleEntries(key: string): void {
  interceptHistory(popped);
  routerKey = key;
  // The page was reloaded while an overlay was open.
  if (entry().over && !opened && !skipping) back();
}

function back(): void {
  skipping = true;
  window.history.back();
}

function popped(event: PopStateEvent): void {
  const to = (event.state ?? {}) as Entry;
  if (opened) {
    const close = opened;
    opened = null;
    if (keyOf(to) === pageKey) event.stopImmediatePropagation();
    close();
  } else if (to.over) {
    event.stopImmediatePropagation();
    const forward = keyOf(to) === routerKey;
    if (forward && mayGoForward()) window.history.forward();
    else back();
  } else if (skipping) {
    skipping = false;
    if (keyOf(to) === routerKey) event.stopImmediatePropagation();
  }
}

/** Not every browser knows. */
function mayGoForward(): boolean {
  const navigation: unknown = Reflect.get(window, "navigation");
  return (navigation as { canGoForward?: boolean } | undefined)?.canGoForward === true;
}
