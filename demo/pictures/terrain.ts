import type { Random } from "../random.ts";
import { fractal, type Noise, noiseOf, ridged } from "./noise.ts";
import { clamp, type Color, mix, type Raster, rgb, smooth } from "./raster.ts";
import type { Light } from "./sky.ts";

export type Land = "alps" | "hills" | "dunes" | "winter" | "canyon" | "islands" | "sea" | "lake";

/** Metres mean nothing here: a map is SIZE units wide and deep. */
const SIZE = 512;
const FAR = 490;

type Ground = { noise: Noise; detail: Noise; random: Random; tint: number };
type Shape = (x: number, z: number, ground: Ground) => number;
type Paint = (height: number, slope: number, x: number, z: number, ground: Ground) => Color;

const valley = (x: number, z: number) => smooth(10, 150, Math.abs(x - SIZE / 2) + z * 0.22);

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

const shapes: Record<Land, Shape> = {
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
    return Math.max(0, step) * 62 * (0.35 + valley(x, z) * 0.65) - 4 + fractal(noise, x * 0.06, z * 0.06, 3) * 4;
  },
  islands: (x, z, { noise }) =>
    ridged(noise, x * 0.011, z * 0.011, 6) * 74 * valley(x, z) * smooth(40, 120, z) -
    34 +
    fractal(noise, x * 0.02, z * 0.02, 4) * 8,
  sea: () => -20,
};

const paints: Record<Land, Paint> = {
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
    const scrub = mix(rgb("#b98a5c"), rgb("#7d7a48"), clamp(0.4 + ground.detail(x * 0.4, z * 0.4), 0, 1));
    return mix(scrub, wall, smooth(0.25, 0.7, slope));
  },
  islands: (height, slope, x, z, ground) => {
    const land = woods(grass(x, z, ground), height, x, z, ground);
    return shore(mix(land, rock, smooth(0.8, 1.3, slope)), height);
  },
  sea: () => wetSand,
};

function alpine(h: number, slope: number, x: number, z: number, ground: Ground, snowline: number): Color {
  const low = woods(grass(x, z, ground), h, x, z, ground);
  const bare = mix(rock, darkRock, 0.5 + ground.noise(x * 0.15, z * 0.15) * 0.5);
  const land = mix(low, bare, Math.max(smooth(0.75, 1.25, slope), smooth(snowline - 26, snowline, h)));
  const frost = smooth(snowline - 8, snowline + 10, h + ground.noise(x * 0.08, z * 0.08) * 14);
  return mix(land, snow, frost * smooth(2.1, 1.1, slope));
}

function shore(land: Color, height: number): Color {
  return mix(wetSand, land, smooth(0.4, 3.4, height));
}

export type View = {
  land: Land;
  light: Light;
  /** pixels from the top */
  horizon: number;
  sun: { x: number; y: number };
  /** 0 clear, 1 thick */
  haze: number;
  random: Random;
};

/**
 * Draws the land in front of a painted sky, column by column from near to far (a height field
 * walked by rays), and returns which pixels are water.
 */
export function paintLand(raster: Raster, view: View): Uint8Array {
  const { land, light, horizon, sun, haze, random } = view;
  const ground: Ground = { noise: noiseOf(random), detail: noiseOf(random), random, tint: random.next() };
  const { width, height: rows, data } = raster;
  const heights = heightMap(shapes[land], ground);
  const side = clamp((sun.x / width - 0.5) * 2.4, -1.2, 1.2);
  const sunlit = lightMap(heights, side, 0.28 + light.elevation * 0.9);
  const water = new Uint8Array(width * rows);
  const wet = land === "lake" || land === "islands" || land === "sea";
  const eye = eyeHeight(heights, land);
  const focal = width * 0.86;
  const paint = paints[land];
  const mist = mix(light.horizon, light.middle, 0.25);

  for (let column = 0; column < width; column += 1) {
    const dx = (column - width / 2) / focal;
    let top = rows;
    let last: Color | null = null;
    for (let z = 2.2; z < FAR && top > 0; z += 0.1 + z * 0.0065) {
      const x = SIZE / 2 + dx * z;
      const bare = sample(heights, x, z);
      const flooded = wet && bare < 0;
      const level = flooded ? 0 : bare;
      const y = horizon + ((eye - level) * focal) / z;
      if (y >= top) {
        last = null;
        continue;
      }
      const from = Math.max(0, Math.ceil(y));
      if (flooded) {
        for (let row = from; row < top; row += 1) water[row * width + column] = 1;
        last = null;
      } else {
        const slope = steepness(heights, x, z);
        const own = paint(level, slope, x, z, ground);
        const sunshine = sample(sunlit, x, z);
        const fog = 1 - Math.exp(-Math.pow(z / FAR, 1.5) * (0.9 + haze * 2.6) - haze * 0.05);
        const color: Color = [0, 1, 2].map((channel) => {
          const lit = exposed(
            (own[channel] as number) *
              ((light.ambient[channel] as number) * 0.9 +
                sunshine * (light.direct[channel] as number) * 0.66),
          );
          return lit + ((mist[channel] as number) - lit) * fog;
        }) as unknown as Color;
        const span = top - from;
        for (let row = from; row < top; row += 1) {
          const share = last && span > 1 ? (row - from) / span : 0;
          const at = (row * width + column) * 3;
          for (let channel = 0; channel < 3; channel += 1) {
            const a = color[channel] as number;
            data[at + channel] = a + ((last?.[channel] ?? a) - a) * share;
          }
        }
        last = color;
      }
      top = Math.min(top, from);
    }
    if (wet) {
      // What no land covered below the horizon is open water.
      for (let row = Math.max(0, Math.ceil(horizon)); row < top; row += 1) water[row * width + column] = 1;
    } else {
      for (let row = Math.max(0, Math.floor(horizon)); row < top; row += 1) {
        const at = (row * width + column) * 3;
        for (let channel = 0; channel < 3; channel += 1) data[at + channel] = mist[channel] as number;
      }
    }
  }
  return water;
}

/** Bright land keeps its drawing, as film keeps it, instead of burning out. */
function exposed(value: number): number {
  return value < 150 ? value : 150 + 92 * (1 - Math.exp((150 - value) / 92));
}

function heightMap(shape: Shape, ground: Ground): Float32Array {
  const map = new Float32Array(SIZE * SIZE);
  const dx = ground.random.between(0, 4000);
  const shifted: Ground = { ...ground, noise: (x, y) => ground.noise(x + dx, y + dx * 0.37) };
  for (let z = 0, at = 0; z < SIZE; z += 1) {
    for (let x = 0; x < SIZE; x += 1, at += 1) map[at] = shape(x, z, shifted);
  }
  return map;
}

/** Brightness of direct light on every point: its slope towards the sun, and who stands in the way. */
function lightMap(heights: Float32Array, side: number, elevation: number): Float32Array {
  const map = new Float32Array(SIZE * SIZE);
  const length = Math.hypot(side, 0.75, elevation);
  for (let z = 0; z < SIZE; z += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const at = z * SIZE + x;
      const nx = (heights[at - 1] ?? 0) - (heights[at + 1] ?? 0);
      const nz = (heights[at - SIZE] ?? 0) - (heights[at + SIZE] ?? 0);
      const facing = (nx * side - nz * 0.35 + 2 * elevation) / (Math.hypot(nx, nz, 2) * length);
      let shade = 1;
      const start = heights[at] as number;
      for (let step = 3; step < 70 && shade > 0; step *= 1.45) {
        const over = sample(heights, x + side * step, z + 0.35 * step) - start - step * elevation * 0.8;
        if (over > 0) shade = Math.max(0, shade - over * 0.22);
      }
      map[at] = clamp(facing * 1.15, 0, 1.25) * shade;
    }
  }
  return map;
}

function sample(map: Float32Array, x: number, z: number): number {
  const cx = clamp(x, 0, SIZE - 1.01);
  const cz = clamp(z, 0, SIZE - 1.01);
  const column = Math.floor(cx);
  const row = Math.floor(cz);
  const fx = cx - column;
  const fz = cz - row;
  const at = row * SIZE + column;
  const a = map[at] as number;
  const c = map[at + SIZE] as number;
  const near = a + ((map[at + 1] as number) - a) * fx;
  return near + (c + ((map[at + SIZE + 1] as number) - c) * fx - near) * fz;
}

function steepness(heights: Float32Array, x: number, z: number): number {
  return Math.hypot(
    sample(heights, x + 1, z) - sample(heights, x - 1, z),
    sample(heights, x, z + 1) - sample(heights, x, z - 1),
  ) / 2;
}

function eyeHeight(heights: Float32Array, land: Land): number {
  let ground = 0;
  for (let z = 2; z < 40; z += 2) ground = Math.max(ground, sample(heights, SIZE / 2, z) - z * 0.05);
  const over: Record<Land, number> = {
    ...{ alps: 9, hills: 9, dunes: 8, winter: 8, canyon: 10, islands: 7, sea: 3.2, lake: 3.4 },
  };
  return ground + over[land];
}
