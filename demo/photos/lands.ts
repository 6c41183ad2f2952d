import { fractal, type Noise, ridged } from "./noise.ts";
import { clamp, type Color, mix, rgb, smooth } from "./raster.ts";

export type Land = "alps" | "hills" | "dunes" | "winter" | "canyon" | "islands" | "sea" | "lake";

/** Metres mean nothing here: a map is `size` units wide and deep. */
export const size = 512;

export type Ground = { noise: Noise; detail: Noise; tint: number };
export type Shape = (x: number, z: number, ground: Ground) => number;
type Paint = (height: number, slope: number, x: number, z: number, ground: Ground) => Color;

const valley = (x: number, z: number) => smooth(10, 150, Math.abs(x - size / 2) + z * 0.22);

const rock = rgb("#7b7776");
const darkRock = rgb("#55545a");
const snow = rgb("#f4f6fa");
const forest = rgb("#2f4a34");
const sand = rgb("#d9b98a");
const wetSand = rgb("#b39a76");

const meadows: Color[] = [rgb("#7a8a55"), rgb("#99985c"), rgb("#647d50")];
const autumn: Color[] = [rgb("#9c7848"), rgb("#b3935a"), rgb("#7d7048")];

function greens({ tint }: Ground): Color[] {
  return tint > 0.78 ? autumn : meadows;
}

function grass(x: number, z: number, ground: Ground): Color {
  const [a, b, c] = greens(ground) as [Color, Color, Color];
  const field = ground.noise(x * 0.03 + 40, z * 0.03);
  const tuft = ground.detail(x * 0.9, z * 0.9) * 0.3 + ground.detail(x * 0.21, z * 0.21) * 0.3;
  return mix(mix(a, b, smooth(-0.4, 0.5, field)), c, clamp(0.4 + tuft, 0, 1));
}

function woods(base: Color, height: number, x: number, z: number, ground: Ground): Color {
  const edge = ground.noise(x * 0.045 + 9, z * 0.045 + 3) + ground.detail(x * 0.5, z * 0.5) * 0.35;
  // Woods begin some way off: a single tree at our feet would be a blot.
  const trees = smooth(0, 0.16, edge) * smooth(62, 40, height) * smooth(24, 80, z);
  const tree = ground.tint > 0.78 ? mix(forest, rgb("#8a5a30"), 0.5) : forest;
  const crown = 0.75 + ground.detail(x * 1.7, z * 1.7) * 0.5;
  return mix(base, [tree[0] * crown, tree[1] * crown, tree[2] * crown], trees);
}

const peaks: Shape = (x, z, { noise }) => {
  const rise = smooth(60, 330, z) * 0.75 + 0.25;
  const high = ridged(noise, x * 0.0085, z * 0.0085, 7);
  return (high * 150 - 18) * rise * valley(x, z) + fractal(noise, x * 0.03, z * 0.03, 4) * 6;
};

export const shapes: Record<Land, Shape> = {
  alps: peaks,
  winter: (x, z, ground) => peaks(x, z, ground) * 0.85 + 3,
  lake: (x, z, ground) => peaks(x, z, ground) - 14 * smooth(260, 80, z),
  hills: (x, z, { noise }) =>
    fractal(noise, x * 0.0075, z * 0.0075, 4) * 62 * (0.3 + smooth(0, 260, z)) +
    fractal(noise, x * 0.05, z * 0.05, 3) * 2.5 +
    smooth(260, 480, z) * ridged(noise, x * 0.01, z * 0.01, 5) * 46,
  dunes: (x, z, { noise }) => {
    const bend = fractal(noise, x * 0.006, z * 0.006, 3) * 55;
    const slip = noise((x + bend) * 0.011, (z + bend) * 0.017);
    // A crest as sharp as the map's grid can hold.
    const wave = 1.06 - Math.sqrt(slip * slip + 0.004);
    const ripple = noise(x * 0.09 + bend * 0.05, z * 0.26) * 0.18 * smooth(160, 20, z);
    return wave * wave * 34 * (0.5 + smooth(0, 240, z) * 0.9) - 14 + ripple;
  },
  canyon: (x, z, { noise }) => {
    const high = fractal(noise, x * 0.009 + 70, z * 0.009, 5) * 1.7 + smooth(60, 300, z) * 0.5;
    const step = Math.floor(high * 4) / 4 + smooth(0.6, 1, (high * 4) % 1) / 4;
    return (
      Math.max(0, step) * 62 * (0.35 + valley(x, z) * 0.65) -
      4 +
      fractal(noise, x * 0.06, z * 0.06, 3) * 4
    );
  },
  islands: (x, z, { noise }) =>
    ridged(noise, x * 0.011, z * 0.011, 6) * 74 * valley(x, z) * smooth(40, 120, z) -
    34 +
    fractal(noise, x * 0.02, z * 0.02, 4) * 8,
  sea: () => -20,
};

export const paints: Record<Land, Paint> = {
  alps: (height, slope, x, z, ground) => alpine(height, slope, x, z, ground, 44),
  lake: (height, slope, x, z, ground) => shore(alpine(height, slope, x, z, ground, 50), height),
  winter: (_height, slope, x, z, ground) => {
    const drift = ground.detail(x * 0.12, z * 0.3) * 0.1;
    const stone = smooth(0.95, 1.5, slope + ground.noise(x * 0.2, z * 0.2) * 0.25);
    return mix(mix(snow, rgb("#dfe7f2"), 0.4 + drift), darkRock, stone * 0.9);
  },
  hills: (height, slope, x, z, ground) =>
    mix(woods(grass(x, z, ground), height + 14, x, z, ground), rock, smooth(0.9, 1.5, slope)),
  dunes: (height, _slope, x, z, ground) => {
    const hue = ground.tint > 0.5 ? rgb("#cf8a52") : sand;
    const grain = ground.detail(x * 1.1, z * 1.1) * 7;
    const base = mix(hue, rgb("#f0d2a0"), smooth(-10, 34, height) * 0.5);
    return [base[0] + grain, base[1] + grain, base[2] + grain];
  },
  canyon: (height, slope, x, z, ground) => {
    const layer = Math.sin(height * 0.75 + ground.noise(x * 0.02, z * 0.02) * 2.5);
    const wall = mix(rgb("#a4502e"), rgb("#dd9a64"), 0.5 + layer * 0.42);
    const scrub = mix(
      rgb("#b98a5c"),
      rgb("#7d7a48"),
      clamp(0.4 + ground.detail(x * 0.4, z * 0.4), 0, 1),
    );
    return mix(scrub, wall, smooth(0.25, 0.7, slope));
  },
  islands: (height, slope, x, z, ground) => {
    const land = woods(grass(x, z, ground), height, x, z, ground);
    return shore(mix(land, rock, smooth(0.8, 1.3, slope)), height);
  },
  sea: () => wetSand,
};

function alpine(
  h: number,
  slope: number,
  x: number,
  z: number,
  ground: Ground,
  snowline: number,
): Color {
  const low = woods(grass(x, z, ground), h, x, z, ground);
  const bare = mix(rock, darkRock, 0.5 + ground.noise(x * 0.15, z * 0.15) * 0.5);
  const land = mix(
    low,
    bare,
    Math.max(smooth(0.75, 1.25, slope), smooth(snowline - 26, snowline, h)),
  );
  const frost = smooth(snowline - 8, snowline + 10, h + ground.noise(x * 0.08, z * 0.08) * 14);
  return mix(land, snow, frost * smooth(2.1, 1.1, slope));
}

function shore(land: Color, height: number): Color {
  return mix(wetSand, land, smooth(0.4, 3.4, height));
}
