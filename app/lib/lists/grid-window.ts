/*
 * Which rows of a long grid of squares are rendered. It loads once a grid is long (use-grid-window.ts).
 */
import { flushSync } from "react-dom";
import type { RenderedRows } from "#app/lib/lists/use-grid-window.ts";

/** How far outside the window a row is rendered, CSS pixels. */
const renderWithin = 2500;
/** Rows that come and go together, so that not every movement renders. */
const together = 4;

/**
 * Says which rows are near the window, now and whenever that changes: null for all of them, on paper. The row
 * with the focus stays. Returns an end.
 */
export function watchGrid(
  grid: HTMLElement,
  columns: number,
  show: (rows: RenderedRows | null) => void,
): () => void {
  let shown = "";
  let printing = false;

  function rowsNear(): RenderedRows {
    const gap = Number.parseFloat(getComputedStyle(grid).rowGap) || 0;
    // Tiles are squares.
    const pitch = (grid.clientWidth + gap) / columns;
    const { top } = grid.getBoundingClientRect();
    const from = Math.floor((-top - renderWithin) / pitch / together) * together;
    const to = Math.ceil((window.innerHeight - top + renderWithin) / pitch / together) * together;
    return { pitch, gap, from, to, focused: focusedRow() };
  }

  function focusedRow(): number | null {
    const tile = [...grid.children].find((each) => each.contains(document.activeElement));
    if (!tile) return null;
    // Where none says its position, all are there.
    const index =
      tile.ariaPosInSet === null ? [...grid.children].indexOf(tile) : Number(tile.ariaPosInSet) - 1;
    return Math.floor(index / columns);
  }

  function look(apply: (change: () => void) => void): void {
    const rows = printing ? null : rowsNear();
    const now = JSON.stringify(rows);
    if (now === shown) return;
    shown = now;
    apply(() => show(rows));
  }

  // Before the next frame: otherwise a jump would show it empty.
  const onChange = () => look(flushSync);
  const onPrint = ({ type }: Event) => {
    printing = type === "beforeprint";
    onChange();
  };
  const size = new ResizeObserver(() => look((change) => change()));
  size.observe(grid);
  const over = new AbortController();
  const { signal } = over;
  window.addEventListener("scroll", onChange, { passive: true, signal });
  grid.addEventListener("focusin", onChange, { signal });
  window.addEventListener("beforeprint", onPrint, { signal });
  window.addEventListener("afterprint", onPrint, { signal });
  return () => {
    size.disconnect();
    over.abort();
  };
}
