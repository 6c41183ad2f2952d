import type { Random } from "../random.ts";
import { type Ground, type Land, paints, type Shape, shapes, size } from "./lands.ts";
import type { Light } from "./daylight.ts";
import { noiseOf } from "./noise.ts";
import { clamp, type Color, mix, type Raster } from "./raster.ts";

/** How far one sees, in units of the map. */
const far = 490;

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
  const ground: Ground = {
    noise: noiseOf(random),
    detail: noiseOf(random),
    tint: random.next(),
  };
  const { width, height: rows, data } = raster;
  const heights = heightMap(shapes[land], ground, random);
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
    for (let z = 2.2; z < far && top > 0; z += 0.1 + z * 0.0065) {
      const x = size / 2 + dx * z;
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
        const fog = 1 - Math.exp(-Math.pow(z / far, 1.5) * (0.9 + haze * 2.6) - haze * 0.05);
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
      for (let row = Math.max(0, Math.ceil(horizon)); row < top; row += 1)
        water[row * width + column] = 1;
    } else {
      for (let row = Math.max(0, Math.floor(horizon)); row < top; row += 1) {
        const at = (row * width + column) * 3;
        for (let channel = 0; channel < 3; channel += 1)
          data[at + channel] = mist[channel] as number;
      }
    }
  }
  return water;
}

/** Bright land keeps its detail, as on film, instead of burning out. */
function exposed(value: number): number {
  return value < 150 ? value : 150 + 92 * (1 - Math.exp((150 - value) / 92));
}

function heightMap(shape: Shape, ground: Ground, random: Random): Float32Array {
  const map = new Float32Array(size * size);
  const dx = random.between(0, 4000);
  const shifted: Ground = { ...ground, noise: (x, y) => ground.noise(x + dx, y + dx * 0.37) };
  for (let z = 0, at = 0; z < size; z += 1) {
    for (let x = 0; x < size; x += 1, at += 1) map[at] = shape(x, z, shifted);
  }
  return map;
}

/** Brightness of direct light on every point: its slope towards the sun, and what casts a shadow on it. */
function lightMap(heights: Float32Array, side: number, elevation: number): Float32Array {
  const map = new Float32Array(size * size);
  const length = Math.hypot(side, 0.75, elevation);
  for (let z = 0; z < size; z += 1) {
    for (let x = 0; x < size; x += 1) {
      const at = z * size + x;
      const nx = (heights[at - 1] ?? 0) - (heights[at + 1] ?? 0);
      const nz = (heights[at - size] ?? 0) - (heights[at + size] ?? 0);
      const facing = (nx * side - nz * 0.35 + 2 * elevation) / (Math.hypot(nx, nz, 2) * length);
      let shade = 1;
      const start = heights[at] as number;
      for (let step = 3; step < 70 && shade > 0; step *= 1.45) {
        const over =
          sample(heights, x + side * step, z + 0.35 * step) - start - step * elevation * 0.8;
        if (over > 0) shade = Math.max(0, shade - over * 0.22);
      }
      map[at] = clamp(facing * 1.15, 0, 1.25) * shade;
    }
  }
  return map;
}

function sample(map: Float32Array, x: number, z: number): number {
  const cx = clamp(x, 0, size - 1.01);
  const cz = clamp(z, 0, size - 1.01);
  const column = Math.floor(cx);
  const row = Math.floor(cz);
  const fx = cx - column;
  const fz = cz - row;
  const at = row * size + column;
  const a = map[at] as number;
  const c = map[at + size] as number;
  const near = a + ((map[at + 1] as number) - a) * fx;
  return near + (c + ((map[at + size + 1] as number) - c) * fx - near) * fz;
}

function steepness(heights: Float32Array, x: number, z: number): number {
  return (
    Math.hypot(
      sample(heights, x + 1, z) - sample(heights, x - 1, z),
      sample(heights, x, z + 1) - sample(heights, x, z - 1),
    ) / 2
  );
}

function eyeHeight(heights: Float32Array, land: Land): number {
  let ground = 0;
  for (let z = 2; z < 40; z += 2)
    ground = Math.max(ground, sample(heights, size / 2, z) - z * 0.05);
  // prettier-ignore
  const over: Record<Land, number> = { alps: 9, hills: 9, dunes: 8, winter: 8, canyon: 10, islands: 7, sea: 3.2, lake: 3.4 };
  return ground + over[land];
}
