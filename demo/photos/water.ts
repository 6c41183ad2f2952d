import type { Random } from "../random.ts";
import { fractal, noiseOf } from "./noise.ts";
import { clamp, type Raster, rgb, smooth } from "./raster.ts";
import type { Light } from "./daylight.ts";

/**
 * Fills the marked pixels with water: everything above mirrored at the horizon and stirred by waves, deeper
 * in colour towards the foreground, with the sun's path on it.
 */
export function paintWater(
  raster: Raster,
  scene: {
    water: Uint8Array;
    light: Light;
    horizon: number;
    sun: { x: number; y: number };
    /** 0 a mirror, 1 a windy sea */
    wind: number;
    random: Random;
  },
): void {
  const { water, light, horizon, sun, wind, random } = scene;
  const { width, height, data } = raster;
  const noise = noiseOf(random);
  const deep = rgb(random.pick(["#0f3d52", "#12475c", "#1b4a4f", "#0d3350", "#22505a"]));
  const depth = [0, 1, 2].map(
    (channel) => (deep[channel] as number) * ((light.ambient[channel] as number) + 0.45),
  );
  const mirror = data.slice();
  for (let y = Math.max(0, Math.floor(horizon)); y < height; y += 1) {
    const below = (y - horizon + 0.7) / height;
    const distance = 0.12 / (below + 0.004);
    const nearness = smooth(0, 0.5, below);
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      if (!water[pixel]) continue;
      const u = (x / width - 0.5) * distance * 9;
      const v = distance * 10;
      const swell = fractal(noise, u * 0.35, v * 0.55, 2);
      const wave = fractal(noise, u, v * 1.7, 4) + swell * 0.8;
      // Far waves are seen at such a flat angle that they blur into each other.
      const slope = wave * wind * (0.25 + nearness * 1.2) + wave * 0.02;
      const calm = Math.max(
        0,
        Math.round(2 * horizon - y + slope * height * 0.12 * (0.2 + nearness)),
      );
      const shift = Math.round(slope * width * 0.012);
      const from = clamp(calm, 0, Math.floor(horizon) - 1) * width + clamp(x + shift, 0, width - 1);
      const sky = clamp(0.82 - nearness * 0.5 - slope * 0.55, 0.08, 0.94);
      const dx = (x - sun.x) / width;
      const path = 0.018 + below * 0.16;
      const shine =
        sun.y < horizon && light.hour !== "overcast" && light.hour !== "dusk" ? 1 : 0.12;
      const glitter =
        shine *
        Math.exp(-(dx * dx) / (path * path)) *
        smooth(0.02 + wind * 0.1, 0.34, wave) *
        (1.05 - nearness * 0.6);
      for (let channel = 0; channel < 3; channel += 1) {
        const reflected = mirror[from * 3 + channel] as number;
        const body = depth[channel] as number;
        let value = body + (reflected - body) * sky;
        value += ((light.sun[channel] as number) - value) * clamp(glitter, 0, 1);
        data[pixel * 3 + channel] = value;
      }
    }
  }
}
