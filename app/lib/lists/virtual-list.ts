import { useLayoutEffect, useRef } from "react";
import { onFirstInteraction } from "#app/lib/page/first-interaction.ts";
import {
  fold,
  isFolded,
  lists,
  unfold,
  type Cards,
  type Foldable,
  type Folded,
  type Post,
} from "#app/lib/lists/folded-posts.ts";
import type { Page } from "#shared/views.ts";

/** Renders and folds cards, once it has loaded. */
let virtualizer: typeof import("#app/lib/lists/virtualizer.ts") | undefined;

async function start(): Promise<void> {
  try {
    virtualizer ??= await import("#app/lib/lists/virtualizer.ts");
  } catch {
    // Without it all cards are rendered, however many.
    for (const { change } of lists) {
      change((list) => ({ ...list, items: list.items.map(unfold) }));
    }
    return;
  }
  if (lists.size > 0) virtualizer.startListening();
}

/** As `renderVisible` of virtualizer.ts. */
export const renderVisible = (scrollTarget?: number): void =>
  virtualizer?.renderVisible(scrollTarget);

/** Arriving posts are folded at first; a few are rendered where the virtualizer has not loaded yet. */
export const foldArriving = <Item extends Foldable>(
  list: Page<Item | Folded>,
): Page<Item | Folded> =>
  virtualizer || list.items.length > 20 ? { ...list, items: list.items.map(fold) } : list;

/**
 * Of a long list only the cards near the window are rendered. A run of the others is one empty element as
 * high as they were: the list keeps its length and positions, and distant cards cost no nodes and no
 * layout.
 * @returns a ref for the element around cards and runs
 */
export function useVirtualList(posts: readonly Post[], change: Cards["change"]) {
  const ref = useRef<HTMLDivElement>(null);
  const cards = useRef<Cards>({ box: null, posts, change });
  useLayoutEffect(() => {
    const list = cards.current;
    list.box = ref.current;
    list.change = change;
    lists.add(list);
    if (virtualizer) virtualizer.startListening();
    const giveUp = onFirstInteraction(() => void start());
    return () => {
      giveUp();
      lists.delete(list);
      if (lists.size === 0) virtualizer?.stopListening();
    };
  }, [change]);
  useLayoutEffect(() => {
    cards.current.posts = posts;
    if (virtualizer) virtualizer.measureNewCards(cards.current);
    // A restored list: the visible part of it is rendered before the first interaction.
    else if (posts.some(isFolded)) void start();
  }, [posts]);
  return ref;
}
