import type { Random } from "../random.ts";
import type { Hour, Light } from "./daylight.ts";
import { fractal, noiseOf } from "./noise.ts";
import { clamp, mix, type Raster, smooth } from "./raster.ts";

export type Clouds = { cover: number; scale: number; stretch: number };

export function cloudsOf(hour: Hour, random: Random): Clouds {
  const cover = hour === "overcast" ? random.between(0.75, 0.95) : random.between(0.05, 0.62);
  return { cover, scale: random.between(0.7, 1.6), stretch: random.between(1, 2.6) };
}

/** Paints the sky down to a little below `horizon` (pixels from the top); `sun` in pixels. */
export function paintSky(
  raster: Raster,
  scene: {
    light: Light;
    clouds: Clouds;
    horizon: number;
    sun: { x: number; y: number };
    random: Random;
  },
): void {
  const { light, clouds, horizon, sun, random } = scene;
  const noise = noiseOf(random);
  const { width, height, data } = raster;
  // Clouds are soft: every third pixel is computed, the ones between are blended.
  const step = 3;
  const bottom = Math.min(height, Math.ceil(horizon) + step + 1);
  const columns = Math.ceil(width / step) + 1;
  const rows = Math.ceil(bottom / step) + 1;
  const field = new Float32Array(columns * rows * 3);
  const seen = sun.y < horizon && light.hour !== "overcast";
  for (let row = 0, at = 0; row < rows; row += 1) {
    const up = clamp((horizon - row * step) / horizon, 0, 1);
    const base =
      up < 0.38
        ? mix(light.horizon, light.middle, smooth(0, 0.42, up))
        : mix(
            mix(light.horizon, light.middle, smooth(0, 0.42, up)),
            light.zenith,
            smooth(0.3, 1, up),
          );
    const far = 1 / (up * 1.25 + 0.11);
    const fade = smooth(0.01, 0.2, up);
    for (let column = 0; column < columns; column += 1, at += 3) {
      const dx = (column * step - sun.x) / width;
      const dy = (row * step - sun.y) / width;
      const distance = Math.sqrt(dx * dx + dy * dy * 1.4);
      const glow = seen ? 0.85 * Math.exp(-distance * 5.5) + 0.25 * Math.exp(-distance * 1.8) : 0;
      const disc = seen ? smooth(0.027, 0.02, distance) : 0;
      let color = mix(base, light.sun, clamp(glow + disc, 0, 1));
      if (clouds.cover > 0) {
        const u = (((column * step) / width - 0.5) * far * clouds.scale * 2.4) / clouds.stretch;
        const v = far * clouds.scale * 1.7;
        const density = 0.5 + fractal(noise, u, v, 6) * 0.95;
        const thick = smooth(1 - clouds.cover, 1.32 - clouds.cover * 0.85, density);
        if (thick > 0.004) {
          const lit = 0.5 + fractal(noise, u - dx * 0.35, v + 0.22, 4) * 0.95;
          const shade = clamp(0.6 + (density - lit) * 2.6 - thick * 0.25 + glow * 0.6, 0, 1);
          const cloud = mix(light.cloudShade, light.cloudLit, shade);
          color = mix(color, mix(base, cloud, 0.35 + 0.65 * fade), thick * (0.4 + 0.55 * fade));
        }
      }
      field[at] = color[0];
      field[at + 1] = color[1];
      field[at + 2] = color[2];
    }
  }
  for (let y = 0; y < bottom; y += 1) {
    const row = Math.min(rows - 2, Math.floor(y / step));
    const fy = y / step - row;
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(columns - 2, Math.floor(x / step));
      const fx = x / step - column;
      const upper = (row * columns + column) * 3;
      const lower = upper + columns * 3;
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const a = field[upper + channel] as number;
        const b = field[upper + 3 + channel] as number;
        const c = field[lower + channel] as number;
        const d = field[lower + 3 + channel] as number;
        const top = a + (b - a) * fx;
        data[to + channel] = top + (c + (d - c) * fx - top) * fy;
      }
    }
  }
}
