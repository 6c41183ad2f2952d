import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import type { Page } from "#shared/views.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { keepLists, keptLists, keptScroll } from "#app/lib/kept-lists.ts";
import { appendPage, joinPages } from "#app/lib/older-pages.ts";
import { getJson } from "#app/lib/post-form.ts";
import type { RootData } from "#app/root.tsx";

/** Lists already loaded, by history entry: going back finds them as long as they were. */
const remembered = new Map<string, Page<{ id: string }>>();
const rememberedEntries = 30;

/** After a follow or a delete the loaded lists are not true any more. */
export function forgetLists(): void {
  remembered.clear();
}

function remember(key: string, list: Page<{ id: string }>): void {
  remembered.delete(key);
  remembered.set(key, list);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size > rememberedEntries) remembered.delete(oldest);
}

let keeping = false;

/** From now on lists outlive their document, for Back from another site. Browser only. */
function keepFromNowOn(): void {
  if (keeping) return;
  keeping = true;
  for (const [key, list] of keptLists()) if (!remembered.has(key)) remembered.set(key, list);
  window.addEventListener("pagehide", () => keepLists(remembered));
}

function recall<Item>(key: string): Page<Item> | null {
  return (remembered.get(key) as Page<Item> | undefined) ?? null;
}

type State = "idle" | "loading" | "failed";

/**
 * A list that grows while one scrolls. `first` is the page the loader read, `path` answers the
 * next pages as JSON (`cursor` is added). Give the component that calls this a `key` per list.
 */
export function useEndlessList<Item extends { id: string }>(first: Page<Item>, path: string) {
  const { key } = useLocation();
  const reader = useRouteLoaderData<RootData>("root")?.viewer?.id ?? "";
  const entry = `${reader} ${key} ${path}`;
  const hydrated = useHydrated();
  const [loaded, setLoaded] = useState(first);
  const [list, setList] = useState(() =>
    // What the server rendered is taken over as it is, and made longer right after.
    hydrated ? joinPages(first, recall<Item>(entry)) : first,
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
  const taken = useRef(hydrated);
  useLayoutEffect(() => {
    keepFromNowOn();
    if (taken.current) return;
    taken.current = true;
    const kept = joinPages(first, recall<Item>(entry));
    if (kept === first) return;
    setList(kept);
    setPlace(keptScroll(key));
  }, [first, entry, key]);
  useLayoutEffect(() => {
    if (place !== null) window.scrollTo({ top: place, behavior: "instant" });
  }, [place]);

  useEffect(() => remember(entry, list), [entry, list]);

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
      setList((current) => appendPage(current, page));
      setState("idle");
    } catch {
      setState("failed");
    } finally {
      loading.current = false;
    }
  }, [nextCursor, path]);

  return { items: list.items, nextCursor, state, loadMore };
}
