import { encode } from "uqr";

/** A square of `size` modules, the dark ones as an SVG path. */
export type QrDrawing = { size: number; path: string };

/** Runs on the server: the browser gets the drawing, not the encoder. */
export function qrCode(text: string): QrDrawing {
  const { data, size } = encode(text, { border: 3 });
  return { size, path: data.map(rowPath).join("") };
}

/** Each run of dark modules in a row as one rectangle. */
function rowPath(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    const width = x + 1 - start;
    path += `M${start} ${y}h${width}v1h-${width}z`;
  }
  return path;
}
