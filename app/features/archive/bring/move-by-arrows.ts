import type { KeyboardEvent } from "react";
import { direction } from "#messages/language.json";

/** Tiles in a row. */
export const columns = 4;

/** To the end of a line: rows go from right to left where the language does. */
const right = direction === "rtl" ? -1 : 1;

const steps: Record<string, number> = {
  ArrowLeft: -right,
  ArrowRight: right,
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
