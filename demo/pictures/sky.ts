import type { Random } from "../random.ts";
import { fractal, noiseOf } from "./noise.ts";
import { type Color, clamp, mix, type Raster, rgb, smooth } from "./raster.ts";

export type Hour = "dawn" | "morning" | "noon" | "golden" | "sunset" | "dusk" | "overcast";

/** The light of an hour: what the sky looks like and what it does to the land. */
export type Light = {
  hour: Hour;
  zenith: Color;
  middle: Color;
  horizon: Color;
  sun: Color;
  cloudLit: Color;
  cloudShade: Color;
  /** colour of direct and of scattered light on the land, as factors */
  direct: Color;
  ambient: Color;
  /** height of the sun over the horizon, as a share of the sky */
  elevation: number;
};

type Look = [string, string, string, string, string, string, Color, Color, number];
const looks: Record<Hour, Look[]> = {
  dawn: [
    ["#5b7fae", "#c9b6c6", "#f7cfae", "#fff0d0", "#fbd9c4", "#8d89a8", [1.1, 0.86, 0.7], [0.5, 0.52, 0.64], 0.1],
    ["#7d9fbf", "#d9cbd2", "#ffd9c0", "#fff3dc", "#ffe6d8", "#a79fb5", [1.05, 0.88, 0.76], [0.55, 0.56, 0.66], 0.08],
  ],
  morning: [
    ["#3d7cc4", "#8dbce4", "#d7e8ef", "#fffbe8", "#ffffff", "#b4c3d4", [1.08, 1.02, 0.9], [0.52, 0.58, 0.68], 0.45],
    ["#4f93c9", "#a5cfe6", "#e8efe6", "#fffbe8", "#fffdf6", "#b9c6cf", [1.1, 1.0, 0.86], [0.5, 0.57, 0.66], 0.4],
  ],
  noon: [
    ["#1f63b8", "#5b9fdd", "#bcdcf0", "#ffffff", "#ffffff", "#b3c4d8", [1.12, 1.08, 1.0], [0.5, 0.57, 0.7], 0.8],
    ["#2a74b5", "#6fb0d8", "#cfe5ea", "#ffffff", "#ffffff", "#bccbd6", [1.1, 1.06, 0.98], [0.52, 0.58, 0.68], 0.75],
  ],
  golden: [
    ["#4c7bb0", "#b5c3c9", "#f9dca2", "#fff1c4", "#ffe9c2", "#a99aa0", [1.22, 0.95, 0.62], [0.46, 0.47, 0.58], 0.16],
    ["#6a8fb5", "#d3c7b4", "#ffd491", "#ffefc0", "#ffe3b0", "#b39a94", [1.25, 0.94, 0.58], [0.46, 0.46, 0.56], 0.13],
  ],
  sunset: [
    ["#37477e", "#b46d86", "#f9a25c", "#ffe3a3", "#ffb27a", "#6d5276", [1.15, 0.72, 0.48], [0.4, 0.37, 0.5], 0.05],
    ["#2f4a80", "#8a6d9b", "#f2837a", "#ffd9a8", "#ff9f8a", "#574f7d", [1.08, 0.66, 0.54], [0.4, 0.38, 0.54], 0.04],
    ["#40557f", "#d08a6a", "#ffc15e", "#fff0b8", "#ffc083", "#7a5b62", [1.2, 0.8, 0.45], [0.4, 0.36, 0.44], 0.06],
  ],
  dusk: [
    ["#1c2a52", "#4f5b8e", "#c08a97", "#ffd0b0", "#a98aa8", "#3b4270", [0.6, 0.5, 0.58], [0.34, 0.36, 0.54], 0.01],
    ["#182c4e", "#46698c", "#b9a59a", "#ffdcb8", "#93909f", "#34486a", [0.55, 0.52, 0.58], [0.32, 0.38, 0.52], 0.01],
  ],
  overcast: [
    ["#8795a3", "#aebac3", "#d3d9dc", "#f2f2ee", "#dfe4e7", "#8b97a3", [0.74, 0.76, 0.78], [0.62, 0.64, 0.68], 0.5],
    ["#76838c", "#a2aca9", "#d0d3c8", "#f2f2ee", "#d6dad3", "#7c8786", [0.72, 0.74, 0.7], [0.6, 0.63, 0.62], 0.5],
  ],
};

export const hours = Object.keys(looks) as Hour[];

export function lightOf(hour: Hour, random: Random): Light {
  const [zenith, middle, horizon, sun, cloudLit, cloudShade, direct, ambient, elevation] =
    random.pick(looks[hour]);
  return {
    hour,
    zenith: rgb(zenith),
    middle: rgb(middle),
    horizon: rgb(horizon),
    sun: rgb(sun),
    cloudLit: rgb(cloudLit),
    cloudShade: rgb(cloudShade),
    direct,
    ambient,
    elevation,
  };
}

export type Clouds = { cover: number; scale: number; stretch: number };

export function cloudsOf(hour: Hour, random: Random): Clouds {
  const cover = hour === "overcast" ? random.between(0.75, 0.95) : random.between(0.05, 0.62);
  return { cover, scale: random.between(0.7, 1.6), stretch: random.between(1, 2.6) };
}

/** Paints the sky down to a little below `horizon` (pixels from the top); `sun` in pixels. */
export function paintSky(
  raster: Raster,
  scene: { light: Light; clouds: Clouds; horizon: number; sun: { x: number; y: number }; random: Random },
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
        : mix(mix(light.horizon, light.middle, smooth(0, 0.42, up)), light.zenith, smooth(0.3, 1, up));
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
