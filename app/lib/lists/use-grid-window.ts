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

/** Which rows of a grid that got long are to be rendered, `first` at the beginning; null for all. */
export function useGridWindow(tiles: number, columns: number, first: RenderedRows | null) {
  const ref = useRef<HTMLUListElement>(null);
  const [rows, setRows] = useState(first);
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
        setRows(null);
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
