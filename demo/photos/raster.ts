import sharp from "sharp";
import type { Random } from "../random.ts";

/** Pixels as red, green, blue, one after the other, 0 to 255, row by row. */
export type Raster = { width: number; height: number; data: Float32Array };
/** pixels */
export type Size = { width: number; height: number };

export type Color = readonly [red: number, green: number, blue: number];

export const blank = (width: number, height: number): Raster => ({
  width,
  height,
  data: new Float32Array(width * height * 3),
});

/** "#rrggbb" as numbers. */
export function rgb(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function hex(color: Color): string {
  const digits = color.map((value) =>
    Math.round(clamp(value, 0, 255))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}

export function mix(a: Color, b: Color, share: number): Color {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** A colour from hue (degrees), saturation and lightness (0 to 1). */
export function hsl(hue: number, saturation: number, lightness: number): Color {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

export const clamp = (value: number, low: number, high: number) =>
  value < low ? low : value > high ? high : value;

/** 0 below `from`, 1 above `to`, smooth between. */
export function smooth(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

export type Finish = {
  width: number;
  height: number;
  random: Random;
  /** deviation of the film grain, 0 to 255 */
  grain?: number;
  /** how much darker the corners are, 0 to 1 */
  vignette?: number;
  /** how far bright light spills over, 0 to 1 */
  bloom?: number;
  warmth?: number;
};

/** Rounded with a dither, so that a soft sky shows no steps. */
function toBytes(raster: Raster): Buffer {
  const bytes = Buffer.allocUnsafe(raster.data.length);
  for (let i = 0; i < bytes.length; i += 1) {
    const value = (raster.data[i] as number) + ((i * 7919) % 64) / 64;
    bytes[i] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  return bytes;
}

const raw = (width: number, height: number) => ({ raw: { width, height, channels: 3 as const } });

/** Draws SVG (without text: fonts differ between machines) over a raster. */
export async function drawOver(raster: Raster, ...drawings: string[]): Promise<Raster> {
  const { width, height } = raster;
  const bytes = await sharp(toBytes(raster), raw(width, height))
    .composite(drawings.map((drawing) => ({ input: svg(width, height, drawing) })))
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: Float32Array.from(bytes) };
}

export async function drawn(width: number, height: number, drawing: string): Promise<Raster> {
  const bytes = await sharp(svg(width, height, drawing))
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: Float32Array.from(bytes) };
}

function svg(width: number, height: number, content: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`,
  );
}

/** Adds what a camera adds, and returns the photo as the bytes of a JPEG. */
export async function develop(raster: Raster, finish: Finish): Promise<Buffer> {
  const { width, height, random, grain = 4, vignette = 0.25, bloom = 0.2, warmth = 0 } = finish;
  const small = await sharp(toBytes(raster), raw(raster.width, raster.height))
    .resize(width, height, { kernel: "mitchell", fit: "fill" })
    .raw()
    .toBuffer();
  const glow = await sharp(small, raw(width, height))
    .resize(Math.ceil(width / 8), Math.ceil(height / 8), { fit: "fill" })
    .linear(1.9, -190)
    .blur(6)
    .resize(width, height, { fit: "fill", kernel: "linear" })
    .raw()
    .toBuffer();
  const film = Float32Array.from({ length: 8191 }, () => random.normal() * grain);
  const shift = [warmth * 9, warmth * 1.5, -warmth * 9];
  const out = Buffer.allocUnsafe(small.length);
  for (let y = 0, i = 0; y < height; y += 1) {
    // A separate start for every row, or the grain's period would show as a pattern.
    let grainAt = Math.floor(random.next() * 8191);
    const dy = y / height - 0.5;
    for (let x = 0; x < width; x += 1) {
      const dx = x / width - 0.5;
      const shade = 1 - vignette * smooth(0.12, 0.62, dx * dx + dy * dy);
      const speck = film[grainAt] as number;
      grainAt = grainAt === 8190 ? 0 : grainAt + 1;
      for (let channel = 0; channel < 3; channel += 1, i += 1) {
        const value = (small[i] as number) * shade + (shift[channel] as number);
        const light = (glow[i] as number) * bloom;
        // Screen: light adds to light and never burns out.
        const lit = 255 - ((255 - value) * (255 - light)) / 255;
        // Grain is strongest in the middle tones.
        const final = lit + speck * (1 - Math.abs(lit - 120) / 190);
        out[i] = final < 0 ? 0 : final > 255 ? 255 : final;
      }
    }
  }
  return sharp(out, raw(width, height))
    .jpeg({ quality: 88, chromaSubsampling: "4:4:4" })
    .toBuffer();
}
