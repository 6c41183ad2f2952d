/** Colours of the upper, middle and lower third of an image, as `rgb(r g b)`. */
export type Tint = [top: string, middle: string, bottom: string];

const heights = [1 / 6, 1 / 2, 5 / 6];

function bytesOf(base64: string): number[] | null {
  try {
    return Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Reads a vertical gradient out of a thumbhash: its terms of the lowest horizontal frequency are the
 * average of each row, so nothing has to be decoded to pixels.
 * The format: https://github.com/evanw/thumbhash/blob/main/js/thumbhash.js
 * @returns null for an invalid thumbhash
 */
export function tintOf(thumbhash: string): Tint | null {
  const bytes = bytesOf(thumbhash);
  if (!bytes || bytes.length < 6) return null;
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0] = bytes;
  const head = b0 | (b1 << 8) | (b2 << 16);
  const tail = b3 | (b4 << 8);
  const transparent = head >> 23 !== 0;
  const landscape = tail >> 15 !== 0;
  const long = transparent ? 5 : 7;
  const columns = Math.max(3, landscape ? long : tail & 7);
  const rows = Math.max(3, landscape ? tail & 7 : long);

  let nibble = (transparent ? 6 : 5) * 2;
  const nextTerm = () => {
    const byte = bytes[nibble >> 1] ?? 0;
    const value = nibble & 1 ? byte >> 4 : byte & 15;
    nibble += 1;
    return value / 7.5 - 1;
  };
  /** Skips the other terms of one channel, keeping those that vary from top to bottom. */
  const verticalTerms = (nx: number, ny: number, scale: number) => {
    const vertical: number[] = [];
    for (let y = 0; y < ny; y += 1) {
      for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x += 1) {
        const term = nextTerm() * scale;
        if (x === 0) vertical.push(term);
      }
    }
    return vertical;
  };
  const lightness = verticalTerms(columns, rows, ((head >> 18) & 31) / 31);
  const yellow = verticalTerms(3, 3, (((tail >> 3) & 63) / 63) * 1.25);
  const red = verticalTerms(3, 3, (((tail >> 9) & 63) / 63) * 1.25);

  const colours = heights.map((height) => {
    const at = (average: number, terms: number[]) =>
      terms.reduce(
        (sum, term, index) => sum + 2 * term * Math.cos(Math.PI * (index + 1) * height),
        average,
      );
    const l = at((head & 63) / 63, lightness);
    const p = at(((head >> 6) & 63) / 31.5 - 1, yellow);
    const q = at(((head >> 12) & 63) / 31.5 - 1, red);
    const blue = l - (2 / 3) * p;
    const redness = (3 * l - blue + q) / 2;
    return `rgb(${[redness, redness - q, blue].map(channel).join(" ")})`;
  });
  return colours as Tint;
}

function channel(value: number): number {
  return Math.round(255 * Math.min(1, Math.max(0, value)));
}
