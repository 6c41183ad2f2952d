import { interceptHistory } from "#app/lib/page/history-steps.ts";

/*
 * What opens over a page and closes on Back: it has an entry of its own in the browser's history. The
 * router hears nothing of these entries, or it would read the page again on the way.
 */

type Entry = { over?: true; key?: string };

/** what Back closes */
let opened: (() => void) | null = null;
/** The entry is being left: a second press shall not leave the page as well. */
let leaving = false;
/** of the page underneath, as the router names it */
let pageKey = "";
/** of the page that the router shows */
let routerKey = "";
/** An entry whose time has passed is being left for its neighbour. */
let skipping = false;

const keyOf = ({ key = "default" }: Entry) => key;
const entry = () => (window.history.state ?? {}) as Entry;

/** `onBack` is called once: when one goes back, however one does. */
export function enterOverlay(onBack: () => void): void {
  interceptHistory(popped);
  opened = onBack;
  leaving = false;
  pageKey = keyOf(entry());
  if (!entry().over) window.history.pushState({ ...entry(), over: true }, "");
}

/** Goes back to the page; what `enterOverlay` was given is called then. */
export function leaveOverlay(): void {
  if (leaving) return;
  leaving = true;
  window.history.back();
}

/** It is gone, however: its entry goes, too, unless it comes back at once. */
export function quitOverlay(): void {
  opened = null;
  setTimeout(() => {
    if (!opened && entry().over && !leaving && !skipping) back();
  });
}

/** Told with every page the router shows: entries that lost what they stood for are passed over. */
export function skipStaleEntries(key: string): void {
  interceptHistory(popped);
  routerKey = key;
  // The page was loaded again while something was open.
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

/** Not every browser tells. */
function mayGoForward(): boolean {
  const navigation: unknown = Reflect.get(window, "navigation");
  return (navigation as { canGoForward?: boolean } | undefined)?.canGoForward === true;
}
