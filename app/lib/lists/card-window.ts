import { useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** How far outside the window a card is drawn, and from where on it is put away: CSS pixels. */
const drawWithin = 2500;
const putAwayBeyond = 3500;

/** Scrolled by less than this, nothing is drawn or put away, CSS pixels. */
const lookEvery = 500;

type Card = { key: string; away: boolean; setHeight: (height: number | null) => void };

/** The cards of this page. Browser only, as everything here. */
const cards = new Map<Element, Card>();

/** How high cards were when they were last drawn, CSS pixels, by `heightKey`. */
export const cardHeights = new Map<string, number>();

/** Cards of the home feed show comments: the same post has another height elsewhere. */
export const heightKey = (post: { id: string; comments?: unknown }) =>
  post.comments ? post.id : `${post.id} alone`;

let measured = false;

/** Whether a height is new since this was asked last. */
export function wereMeasured(): boolean {
  const were = measured;
  measured = false;
  return were;
}

/** Of a card that was never drawn: what the last ones had, CSS pixels. */
let typicalHeight = 500;

let sizes: ResizeObserver | undefined;
let lookedAt = Number.NaN;

/**
 * Cards far from what one sees are empty, and as high as they were: a long list keeps its length and
 * its places, and only what is near costs nodes, memory and layout. New ones begin so, too: the browser
 * would never forget pictures of a rendering that React begins and throws away.
 * @returns a ref for the card, and the height of one that is put away; null: it is drawn
 */
export function useCardWindow<Shown extends Element>(key: string) {
  const ref = useRef<Shown>(null);
  // What the server drew is taken over as it is.
  const [height, setHeight] = useState(() =>
    sizes ? (cardHeights.get(key) ?? typicalHeight) : null,
  );
  const away = height !== null;

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    if (cards.size === 0) listen();
    cards.set(element, { key, away, setHeight });
    // What it was given stays its height until it is drawn, in the next document too.
    if (height !== null && !cardHeights.has(key)) {
      cardHeights.set(key, height);
      measured = true;
    }
    if (!away) {
      keepPlace(element);
      sizes?.observe(element);
    }
    return () => {
      sizes?.unobserve(element);
      cards.delete(element);
      if (cards.size === 0) stopListening();
    };
  }, [key, away, height]);
  return { ref, height };
}

function listen(): void {
  sizes ??= new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const card = cards.get(target);
      const [box] = borderBoxSize;
      if (!card || card.away || !box) continue;
      measured ||= cardHeights.get(card.key) !== box.blockSize;
      cardHeights.set(card.key, box.blockSize);
      typicalHeight += (box.blockSize - typicalHeight) / 10;
    }
    // The list grew, somebody's posts are left out, the window turned: others are near.
    if (entries.some(({ target }) => target === document.body)) lookAround();
  });
  sizes.observe(document.body);
  window.addEventListener("scroll", onScroll, { passive: true });
  document.addEventListener("focusin", onFocus);
  window.addEventListener("beforeprint", onPrint);
  window.addEventListener("afterprint", onPrinted);
}

function stopListening(): void {
  sizes?.unobserve(document.body);
  window.removeEventListener("scroll", onScroll);
  document.removeEventListener("focusin", onFocus);
  window.removeEventListener("beforeprint", onPrint);
  window.removeEventListener("afterprint", onPrinted);
}

function onScroll(): void {
  // Not a number at first, and then the first scroll counts, however short it is.
  if (!(Math.abs(window.scrollY - lookedAt) < lookEvery)) lookAround();
}

/** All that is loaded is printed, and stays meanwhile. */
let printing = false;

function onPrint(): void {
  printing = true;
  flushSync(() => {
    for (const [element, card] of cards) if (card.away) draw(element, card);
  });
}

function onPrinted(): void {
  printing = false;
  lookAround();
}

/** Keys lead to a card before the window is there. */
function onFocus({ target }: FocusEvent): void {
  const card = cards.get(target as Element);
  if (card?.away) draw(target as Element, card);
}

/**
 * Draws the cards near the window and puts the others away. `place`: where one will be in a moment,
 * as `scrollY` counts; what is near there is drawn, and nothing put away yet.
 */
export function lookAround(place?: number): void {
  if (printing) return;
  const ahead = place === undefined ? 0 : place - window.scrollY;
  if (place === undefined) lookedAt = window.scrollY;
  for (const [element, card] of cards) {
    const { top, bottom, height } = element.getBoundingClientRect();
    const distance = Math.max(top - ahead - window.innerHeight, ahead - bottom);
    if (card.away && distance < drawWithin) draw(element, card);
    else if (!card.away && place === undefined && distance > putAwayBeyond && isIdle(element)) {
      card.away = true;
      cardHeights.set(card.key, height);
      card.setHeight(height);
    }
  }
}

function draw(element: Element, card: Card): void {
  heightsBefore.set(element, element.getBoundingClientRect().height);
  card.away = false;
  card.setHeight(null);
}

const heightsBefore = new WeakMap<Element, number>();

/** What a card above the window gained or lost while it was away moves nothing: Safari leaves that to us. */
function keepPlace(element: Element): void {
  const before = heightsBefore.get(element);
  if (before === undefined || CSS.supports("overflow-anchor", "auto")) return;
  heightsBefore.delete(element);
  const { top, height } = element.getBoundingClientRect();
  if (top + before <= 0 && height !== before) {
    window.scrollBy({ top: height - before, behavior: "instant" });
  }
}

/** Nobody is in it, selected some of it, or has something of it open. */
function isIdle(element: Element): boolean {
  const selection = document.getSelection();
  return (
    !element.contains(document.activeElement) &&
    !(selection && !selection.isCollapsed && selection.containsNode(element, true)) &&
    !element.querySelector("dialog[open], [popover]:popover-open")
  );
}
