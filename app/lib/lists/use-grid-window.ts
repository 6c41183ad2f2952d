import { useEffect, useRef, useState } from "react";

/** Rows from `from` to before `to`, and the one with the focus; distances in CSS pixels. */
export type RenderedRows = {
  /** from one row to the next */
  pitch: number;
  gap: number;
  from: number;
  to: number;
  focused: number | null;
};

/** Tiles from which on those far from the window are not rendered. */
const long = 90;

/** Of a grid that got long: which of its rows are to be rendered; null for all. */
export function useGridWindow(tiles: number, columns: number) {
  const ref = useRef<HTMLUListElement>(null);
  const [rows, setRows] = useState<RenderedRows | null>(null);
  const isLong = tiles > long;
  useEffect(() => {
    let end: (() => void) | undefined;
    let gone = false;
    async function begin(): Promise<void> {
      try {
        const { watchGrid } = await import("#app/lib/lists/grid-window.ts");
        if (ref.current && !gone) end = watchGrid(ref.current, columns, setRows);
      } catch {
        // Without it all tiles are rendered, however many.
      }
    }
    if (isLong) void begin();
    return () => {
      gone = true;
      end?.();
    };
  }, [isLong, columns]);
  return { ref, rows: isLong ? rows : null };
}
