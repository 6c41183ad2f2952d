import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Page } from "#shared/views.ts";
import { appendPage, joinPages } from "#app/lib/older-pages.ts";
import { getJson } from "#app/lib/post-form.ts";

/** Lists already loaded, by history entry: going back finds them as long as they were. */
const remembered = new Map<string, List>();
const rememberedEntries = 30;

/** How the lists that stand on the screen take a change. */
const shown = new Set<(change: Change) => void>();

type List = Page<{ id: string }>;
type Change = (list: List) => List;

/** After a follow or a delete the loaded lists are not true any more. */
export function forgetLists(): void {
  remembered.clear();
}

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
  for (const apply of shown) apply(changeList);
}

function remember(key: string, list: List): void {
  remembered.delete(key);
  remembered.set(key, list);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size > rememberedEntries) remembered.delete(oldest);
}

type State = "idle" | "loading" | "failed";

/**
 * A list that grows while one scrolls. `first` is the page the loader read, `path` answers the
 * next pages as JSON (`cursor` is added). Give the component that calls this a `key` per list.
 */
export function useEndlessList<Item extends { id: string }>(first: Page<Item>, path: string) {
  const entry = `${useLocation().key} ${path}`;
  const [loaded, setLoaded] = useState(first);
  const [list, setList] = useState(() =>
    joinPages(first, (remembered.get(entry) as Page<Item> | undefined) ?? null),
  );
  const [state, setState] = useState<State>("idle");
  const loading = useRef(false);

  // The loader ran again (after a save): its page replaces the beginning.
  if (loaded !== first) {
    setLoaded(first);
    setList(joinPages(first, list));
  }

  useEffect(() => remember(entry, list), [entry, list]);
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
