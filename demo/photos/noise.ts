import type { Random } from "../random.ts";

/** Smooth noise over the plane, about -1 to 1. */
export type Noise = (x: number, y: number) => number;

/** Perlin's gradient noise (2002 version) over a table of its own. */
export function noiseOf(random: Random): Noise {
  const table = new Uint8Array(512);
  const order = random.shuffled([...Array(256).keys()]);
  for (let i = 0; i < 512; i += 1) table[i] = order[i & 255] ?? 0;
  const gx = new Float32Array(256);
  const gy = new Float32Array(256);
  for (let i = 0; i < 256; i += 1) {
    const angle = random.between(0, 2 * Math.PI);
    gx[i] = Math.cos(angle) * 1.5;
    gy[i] = Math.sin(angle) * 1.5;
  }
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const fx = x - column;
    const fy = y - row;
    const i = column & 255;
    const j = row & 255;
    const left = table[i] as number;
    const right = table[i + 1] as number;
    const a = table[left + j] as number;
    const b = table[right + j] as number;
    const c = table[left + j + 1] as number;
    const d = table[right + j + 1] as number;
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    const top = (gx[a] as number) * fx + (gy[a] as number) * fy;
    const topRight = (gx[b] as number) * (fx - 1) + (gy[b] as number) * fy;
    const bottom = (gx[c] as number) * fx + (gy[c] as number) * (fy - 1);
    const bottomRight = (gx[d] as number) * (fx - 1) + (gy[d] as number) * (fy - 1);
    const upper = top + u * (topRight - top);
    return upper + v * (bottom + u * (bottomRight - bottom) - upper);
  };
}

/** Several octaves of noise, each half as high and twice as fine as the one before: clouds, hills. */
export function fractal(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let height = 0.5;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += height * noise(x, y);
    height /= 2;
    // Turned and shifted, so that the octaves' grids never line up.
    const turned = 1.6 * x - 1.2 * y + 17.3;
    y = 1.2 * x + 1.6 * y + 5.1;
    x = turned;
  }
  return sum;
}

/** Octaves folded at zero: sharp crests with smooth flanks, as mountains have. 0 to 1. */
export function ridged(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let height = 0.5;
  let above = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    const crest = 1 - Math.abs(noise(x, y));
    const sharp = crest * crest * above;
    above = Math.min(1, Math.max(0, sharp * 1.6));
    sum += height * sharp;
    height /= 2;
    const turned = 1.6 * x - 1.2 * y + 31.7;
    y = 1.2 * x + 1.6 * y + 11.9;
    x = turned;
  }
  return sum;
}
