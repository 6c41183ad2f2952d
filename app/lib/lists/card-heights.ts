import { useLayoutEffect, useRef } from "react";

/** How high cards were when they were last drawn, CSS pixels, by `heightKey`. Browser only, as everything here. */
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

export function noteHeight(key: string, height: number): void {
  measured ||= cardHeights.get(key) !== height;
  cardHeights.set(key, height);
}

/** Of a card that was never drawn: what the last ones had, CSS pixels. */
let typicalHeight = 500;

/** Of a card that is put away. What it was given stays its height until it is drawn, in the next document too. */
export function heightAway(post: { id: string; comments?: unknown }): number {
  const key = heightKey(post);
  const known = cardHeights.get(key);
  if (known !== undefined) return known;
  noteHeight(key, typicalHeight);
  return typicalHeight;
}

const keys = new WeakMap<Element, string>();
let observer: ResizeObserver | undefined;

const sizes = () =>
  (observer ??= new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const key = keys.get(target);
      const [box] = borderBoxSize;
      if (key === undefined || !box || !target.isConnected) continue;
      noteHeight(key, box.blockSize);
      typicalHeight += (box.blockSize - typicalHeight) / 10;
    }
  }));

/** @returns a ref for a card, whose height is remembered */
export function useCardHeight<Shown extends Element>(key: string) {
  const ref = useRef<Shown>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    keys.set(element, key);
    sizes().observe(element);
    return () => sizes().unobserve(element);
  }, [key]);
  return ref;
}
