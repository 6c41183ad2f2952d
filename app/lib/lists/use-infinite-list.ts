import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Page } from "#shared/views.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { foldArriving, renderVisible } from "#app/lib/lists/virtual-list.ts";
import { fold, isFolded, unfold, type Foldable, type Folded } from "#app/lib/lists/folded-posts.ts";
import { storeSoon, storedScroll, recall } from "#app/lib/lists/list-storage.ts";
import { appendPage, joinPages } from "#app/lib/lists/older-pages.ts";
import { getJson } from "#app/lib/api-client.ts";
import { remembered, type List } from "#app/lib/lists/remembered-lists.ts";
import { useRootData } from "#app/lib/page/root-data.ts";

/** How many lists are remembered. */
const rememberedEntries = 30;

/** How the lists on the screen apply a change. */
const shown = new Set<(change: Change) => void>();

type Change = (list: List) => List;

/** Changes an item, or removes it, in every list that holds it: on the screen, and for going back. */
export function changeListed<Item extends { id: string }>(
  id: string,
  change: (item: Item) => Item | null,
): void {
  const changeList: Change = (list) => {
    if (!list.items.some((item) => item.id === id)) return list;
    const items = list.items.flatMap((item) => {
      if (item.id !== id) return item;
      const changed = change(unfold(item as Item | Folded));
      return changed ? (isFolded(item) ? fold(changed as never) : changed) : [];
    });
    return { ...list, items };
  };
  for (const [key, list] of remembered) remembered.set(key, changeList(list));
  storeSoon();
  for (const apply of shown) apply(changeList);
}

function remember(key: string, list: List): void {
  const before = remembered.get(key);
  remembered.delete(key);
  remembered.set(key, list);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size > rememberedEntries) remembered.delete(oldest);
  // Folding and unfolding changes nothing that is stored; changes by `changeListed` are stored already.
  const grew = before?.items.length !== list.items.length;
  if (grew || before.nextCursor !== list.nextCursor) storeSoon();
}

type State = "idle" | "loading" | "failed";

const asItIs = <List>(list: List) => list;

/**
 * The same for posts as cards (`<PostCards>`): folded until they are near. The browser would never release
 * photos of a render that React begins and throws away.
 */
export function usePostList<Item extends Foldable>(first: Page<Item>, path: string) {
  return useInfiniteList<Item | Folded>(first, path, foldArriving);
}

/**
 * A list that grows as one scrolls. `first` is the page the loader read, `path` answers the next pages as
 * JSON (`cursor` is added); further or remembered pages pass through `arriving`. Give the component that
 * calls this a `key` per list.
 */
export function useInfiniteList<Item extends { id: string }>(
  first: Page<Item>,
  path: string,
  arriving: (list: Page<Item>) => Page<Item> = asItIs,
) {
  const { key } = useLocation();
  const reader = useRootData()?.viewer?.id ?? "";
  const entry = `${reader} ${key} ${path}`;
  const hydrated = useHydrated();
  const [loaded, setLoaded] = useState(first);
  const [list, setList] = useState(() =>
    // Hydration takes the server's list as it is; the remembered pages are added right after.
    hydrated ? arriving(joinPages(first, recall<Page<Item>>(entry))) : first,
  );
  const [state, setState] = useState<State>("idle");
  const loading = useRef(false);

  // The loader ran again (after a save): its page replaces the beginning.
  if (loaded !== first) {
    setLoaded(first);
    // Folded posts stay folded.
    const isAway = ({ id }: Item) => list.items.some((was) => was.id === id && isFolded(was));
    const items = first.items.map((item) => (isAway(item) ? (fold(item as never) as never) : item));
    setList(joinPages({ ...first, items }, list));
  }

  // Back from another site, or reloaded: restore the length, then the scroll position.
  const [scrollTarget, setScrollTarget] = useState<number | null>(null);
  const [taken, setTaken] = useState(hydrated);
  if (hydrated && !taken) {
    setTaken(true);
    const recalled = recall<Page<Item>>(entry);
    const joined = joinPages(list, recalled && arriving(recalled));
    if (joined !== list) {
      setList(joined);
      setScrollTarget(storedScroll(key));
    }
  }
  useLayoutEffect(() => {
    if (scrollTarget !== null) window.scrollTo({ top: scrollTarget, behavior: "instant" });
    // Rendered before it is visible; <ScrollRestoration> scrolls there after this.
    renderVisible(scrollTarget ?? storedScroll(key) ?? 0);
  }, [key, scrollTarget]);

  // Not before the remembered list is restored: this one would replace it.
  useEffect(() => {
    if (taken) remember(entry, list);
  }, [entry, list, taken]);
  const { nextCursor } = list;
  const change = useCallback(
    (changed: Change) => setList((current) => changed(current) as Page<Item>),
    [],
  );
  useEffect(() => {
    shown.add(change);
    return () => void shown.delete(change);
  }, [change]);

  const loadMore = useCallback(async () => {
    if (nextCursor === null || loading.current) return;
    loading.current = true;
    setState("loading");
    try {
      const separator = path.includes("?") ? "&" : "?";
      const page = await getJson<Page<Item>>(
        `${path}${separator}cursor=${encodeURIComponent(nextCursor)}`,
      );
      // As a transition: nobody waits for posts two screens away, and rendering twenty keeps a phone busy.
      startTransition(() => {
        // Read again meanwhile, and not as far: this page would leave a gap.
        const fresh = arriving(page);
        setList((current) =>
          current.nextCursor === nextCursor ? appendPage(current, fresh) : current,
        );
        setState("idle");
      });
    } catch {
      setState("failed");
    } finally {
      loading.current = false;
    }
  }, [nextCursor, path, arriving]);

  return { items: list.items, nextCursor, state, loadMore, change };
}
