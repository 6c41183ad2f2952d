import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Page } from "#shared/views.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { lookAround } from "#app/lib/lists/card-window.ts";
import { keepSoon, keptScroll, recall } from "#app/lib/lists/kept-lists.ts";
import { appendPage, joinPages } from "#app/lib/lists/older-pages.ts";
import { getJson } from "#app/lib/forms/post-form.ts";
import { remembered, type List } from "#app/lib/lists/remembered-lists.ts";
import { useRootData } from "#app/lib/page/root-data.ts";

/** How many lists are remembered. */
const rememberedEntries = 30;

/** How the lists that stand on the screen take a change. */
const shown = new Set<(change: Change) => void>();

type Change = (list: List) => List;

/** What changed of an item, wherever a list holds it: on the screen, and for going back. */
export function changeListed<Item extends { id: string }>(
  id: string,
  change: (item: Item) => Item | null,
): void {
  const changeList: Change = (list) => {
    if (!list.items.some((item) => item.id === id)) return list;
    const items = list.items.flatMap((item) =>
      item.id === id ? (change(item as Item) ?? []) : item,
    );
    return { ...list, items };
  };
  for (const [key, list] of remembered) remembered.set(key, changeList(list));
  keepSoon();
  for (const apply of shown) apply(changeList);
}

function remember(key: string, list: List): void {
  remembered.delete(key);
  remembered.set(key, list);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size > rememberedEntries) remembered.delete(oldest);
  keepSoon();
}

type State = "idle" | "loading" | "failed";

/**
 * A list that grows while one scrolls. `first` is the page the loader read, `path` answers the
 * next pages as JSON (`cursor` is added). Give the component that calls this a `key` per list.
 */
export function useEndlessList<Item extends { id: string }>(first: Page<Item>, path: string) {
  const { key } = useLocation();
  const reader = useRootData()?.viewer?.id ?? "";
  const entry = `${reader} ${key} ${path}`;
  const hydrated = useHydrated();
  const [loaded, setLoaded] = useState(first);
  const [list, setList] = useState(() =>
    // What the server rendered is taken over as it is, and made longer right after.
    hydrated ? joinPages(first, recall<Page<Item>>(entry)) : first,
  );
  const [state, setState] = useState<State>("idle");
  const loading = useRef(false);

  // The loader ran again (after a save): its page replaces the beginning.
  if (loaded !== first) {
    setLoaded(first);
    setList(joinPages(first, list));
  }

  // Back from another site, or loaded again: as long as it was, and then to where one was.
  const [place, setPlace] = useState<number | null>(null);
  const [taken, setTaken] = useState(hydrated);
  if (hydrated && !taken) {
    setTaken(true);
    const kept = joinPages(list, recall<Page<Item>>(entry));
    if (kept !== list) {
      setList(kept);
      setPlace(keptScroll(key));
    }
  }
  useLayoutEffect(() => {
    if (place !== null) window.scrollTo({ top: place, behavior: "instant" });
    // Drawn before it is seen; <ScrollRestoration> goes there after this.
    lookAround(place ?? keptScroll(key) ?? 0);
  }, [key, place]);

  // Not before what was kept is taken over: this would be remembered in its place.
  useEffect(() => {
    if (taken) remember(entry, list);
  }, [entry, list, taken]);
  useEffect(() => {
    const apply = (change: Change) => setList((current) => change(current) as Page<Item>);
    shown.add(apply);
    return () => {
      shown.delete(apply);
    };
  }, []);

  const { nextCursor } = list;
  const loadMore = useCallback(async () => {
    if (nextCursor === null || loading.current) return;
    loading.current = true;
    setState("loading");
    try {
      const separator = path.includes("?") ? "&" : "?";
      const page = await getJson<Page<Item>>(
        `${path}${separator}cursor=${encodeURIComponent(nextCursor)}`,
      );
      // In pieces: nobody waits for posts two screens away, and drawing twenty keeps a phone busy.
      startTransition(() => {
        // Read again meanwhile, and not as far: this page would leave a hole.
        setList((current) =>
          current.nextCursor === nextCursor ? appendPage(current, page) : current,
        );
        setState("idle");
      });
    } catch {
      setState("failed");
    } finally {
      loading.current = false;
    }
  }, [nextCursor, path]);

  return { items: list.items, nextCursor, state, loadMore };
}
