import type { KeyboardEvent } from "react";

/** Tiles in a row. */
export const columns = 4;

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
};

/** Arrows go from tile to tile, into other years, too; Space ticks, with Shift a range. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const { place } = (event.target as HTMLElement).dataset;
  if (!step || place === undefined) return;
  const to = document.querySelector<HTMLElement>(`[data-place="${Number(place) + step}"]`);
  if (!to) return;
  event.preventDefault();
  to.focus();
}
