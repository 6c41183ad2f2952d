/*
 * Which cards of a long list are rendered, and which are folded. It loads after hydration
 * (virtual-list.ts): a first load has nothing that is far away.
 */
import { flushSync } from "react-dom";
import { foldedHeight, heightKey, recordHeight } from "#app/lib/lists/card-heights.ts";
import {
  fold,
  lists,
  unfold,
  type Cards,
  type Foldable,
  type Post,
} from "#app/lib/lists/folded-posts.ts";

/** How far outside the window a card is rendered, and from where on it is folded: CSS pixels. */
const renderWithin = 2500;
const foldBeyond = 3500;

/** Scrolling by less than this renders and folds nothing, CSS pixels. */
const lookEvery = 500;

/** Which posts of a list are to be rendered, and which to be folded, by id. */
type RenderChange = { draw: ReadonlySet<string>; putAway: ReadonlySet<string> };

/** Observed cards, with the last reported heights, CSS pixels; null: not yet. */
const watched = new WeakMap<Element, { key: string; height: number | null }>();

const anchorsScroll = () => CSS.supports("overflow-anchor", "auto");

const sizes = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize } of entries) {
    const card = watched.get(target);
    const [box] = borderBoxSize;
    if (!target.isConnected) sizes.unobserve(target);
    else if (card && box) {
      const grew = box.blockSize - (card.height ?? box.blockSize);
      card.height = box.blockSize;
      recordHeight(card.key, card.height);
      // The window was rotated, a font loaded: heights above the visible part change, too.
      const above = target.getBoundingClientRect().bottom - grew <= 0;
      if (grew !== 0 && above && !anchorsScroll())
        window.scrollBy({ top: grew, behavior: "instant" });
    }
  }
});

/** The list grew, somebody's posts are left out, the window was rotated: other cards are near. */
const body = new ResizeObserver(() => renderVisible());

let listening = new AbortController();

/** Begins to manage `lists`; the observer reports the page's height at once, which starts a first check. */
export function startListening(): void {
  for (const list of lists) measureNewCards(list);
  body.observe(document.body);
  listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("scroll", onScroll, { passive: true, signal });
  window.addEventListener("hashchange", goToHash, { signal });
  document.addEventListener("focusin", onFocus, { signal });
  window.addEventListener("beforeprint", onPrint, { signal });
  window.addEventListener("afterprint", onPrint, { signal });
}

export function stopListening(): void {
  body.disconnect();
  listening.abort();
}

let lookedAt = Number.NaN;

function onScroll(): void {
  // NaN at first, so that the first scroll counts, however short it is.
  if (!(Math.abs(window.scrollY - lookedAt) < lookEvery)) renderVisible();
}

/** Everything that is loaded is printed, and stays rendered meanwhile. */
let printing = false;

function onPrint({ type }: Event): void {
  printing = type === "beforeprint";
  renderVisible();
}

/** Keyboard focus moves to the next card before the window scrolls there. */
function onFocus({ target }: FocusEvent): void {
  if ([...lists].some(({ box }) => box?.contains(target as Node))) renderVisible();
}

/** An address within the page names a folded card. */
function goToHash(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  for (const list of lists) {
    const row = rowsOf(list).find(({ post, element }) => post.id === id && !element);
    if (!row) continue;
    window.scrollTo({ top: window.scrollY + row.top, behavior: "instant" });
    renderVisible();
    document.getElementById(id)?.scrollIntoView({ behavior: "instant" });
  }
}

/** The position of a post in window coordinates; a folded one has no element of its own. */
type Row = { post: Post; top: number; bottom: number; element: Element | null };

function rowsOf({ box, posts }: Cards): Row[] {
  const rows: Row[] = [];
  for (const element of (box?.children ?? []) as Iterable<HTMLElement>) {
    const { top, bottom, height } = element.getBoundingClientRect();
    const run = posts.slice(rows.length, rows.length + Number(element.dataset.far ?? 0));
    const [post] = posts.slice(rows.length);
    if (run.length > 0) {
      const heights = run.map(foldedHeight);
      const gap = (height - heights.reduce((sum, one) => sum + one, 0)) / run.length;
      let from = top;
      for (const [index, away] of run.entries()) {
        const to = from + gap + (heights[index] ?? 0);
        rows.push({ post: away, top: from, bottom: to, element: null });
        from = to;
      }
    } else if (post && element.matches("article")) rows.push({ post, top, bottom, element });
  }
  return rows;
}

/**
 * Renders the cards near the window and folds the others. `scrollTarget`: where the window will be in a
 * moment, as `scrollY` counts; cards near there are rendered, and none folded yet.
 */
export function renderVisible(scrollTarget?: number): void {
  if (scrollTarget === undefined) lookedAt = window.scrollY;
  for (const list of lists) {
    const rows = rowsOf(list);
    const changes = renderChangeOf(rows, scrollTarget);
    if (changes.draw.size + changes.putAway.size === 0) continue;
    if (scrollTarget !== undefined) {
      apply(list, changes);
      continue;
    }
    const anchor = anchorOf(rows);
    // Synchronously: the measurements hold until the next frame.
    flushSync(() => apply(list, changes));
    restoreAnchor(list, anchor);
  }
}

const apply = ({ change }: Cards, { draw, putAway }: RenderChange): void =>
  change((list) => ({
    ...list,
    items: list.items.map((item) =>
      draw.has(item.id) ? unfold(item) : putAway.has(item.id) ? fold(item as Foldable) : item,
    ),
  }));

function renderChangeOf(rows: readonly Row[], scrollTarget: number | undefined): RenderChange {
  const ahead = scrollTarget === undefined ? 0 : scrollTarget - window.scrollY;
  const focused = rows.findIndex(({ element }) => element?.contains(document.activeElement));
  const draw = new Set<string>();
  const putAway = new Set<string>();
  for (const [index, { post, top, bottom, element }] of rows.entries()) {
    const distance = Math.max(top - ahead - window.innerHeight, ahead - bottom);
    const besideFocus = focused !== -1 && Math.abs(index - focused) <= 1;
    if (!element) {
      if (printing || besideFocus || distance < renderWithin) draw.add(post.id);
    } else if (
      !printing &&
      !besideFocus &&
      scrollTarget === undefined &&
      distance > foldBeyond &&
      isIdle(element)
    ) {
      recordHeight(heightKey(post), bottom - top);
      putAway.add(post.id);
    }
  }
  return { draw, putAway };
}

/** The post that is to stay in place in the document, CSS pixels from its top. */
type Anchor = { id: string; top: number };

/**
 * The anchor to restore when cards above come back with another height. Browsers do this where they have a
 * rendered card that stays; after a jump to folded cards there is none, and Safari leaves it to us.
 */
function anchorOf(rows: readonly Row[]): Anchor | null {
  const shown = rows.filter(({ top, bottom }) => bottom > 0 && top < window.innerHeight);
  const card = shown.find(({ element }) => element);
  if (card && anchorsScroll()) return null;
  const row = card ?? shown[0];
  return row ? { id: row.post.id, top: window.scrollY + row.top } : null;
}

/** After a list was rendered: observes new cards. */
export function measureNewCards({ box, posts }: Cards): void {
  const comments = posts[0]?.comments;
  for (const card of box?.children ?? []) {
    if (!card.matches("article") || watched.has(card)) continue;
    watched.set(card, { key: heightKey({ id: card.id, comments }), height: null });
    sizes.observe(card);
  }
}

function restoreAnchor({ box }: Cards, anchor: Anchor | null): void {
  const card = anchor && [...(box?.children ?? [])].find(({ id }) => id === anchor.id);
  if (!card) return;
  const moved = window.scrollY + card.getBoundingClientRect().top - anchor.top;
  if (moved !== 0) window.scrollBy({ top: moved, behavior: "instant" });
}

/** Whether nothing in it is selected or open. A card with the focus stays anyway. */
function isIdle(element: Element): boolean {
  const selection = document.getSelection();
  return (
    !(selection && !selection.isCollapsed && selection.containsNode(element, true)) &&
    !element.querySelector("dialog[open], [popover]:popover-open")
  );
}
