import type { Random } from "../random.ts";
import { fractal, noiseOf } from "./noise.ts";
import { type Raster, smooth } from "./raster.ts";

/** Multiplies every pixel by what `factor` returns for its point (0 to 1 across and down). */
export function relight(raster: Raster, factor: (x: number, y: number) => number): void {
  const { width, height, data } = raster;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      const value = factor(x / width, y / height);
      for (let channel = 0; channel < 3; channel += 1) {
        data[at + channel] = (data[at + channel] as number) * value;
      }
    }
  }
}

/** The unevenness of plaster, paper, cloth (`stretch` 1) or planks (`stretch` 12 or so). */
export function roughen(
  raster: Raster,
  random: Random,
  { scale, amount, stretch = 1 }: { scale: number; amount: number; stretch?: number },
): void {
  const noise = noiseOf(random);
  const tall = raster.height / raster.width;
  relight(
    raster,
    (x, y) => 1 + fractal(noise, (x * scale) / stretch, y * tall * scale, 4) * amount,
  );
}

/** Sunlight through leaves: soft patches of shade, drifting over the whole photo. */
export function dapple(raster: Raster, random: Random, depth: number): void {
  const noise = noiseOf(random);
  const tall = raster.height / raster.width;
  const lean = random.between(-0.5, 0.5);
  const scale = random.between(3, 5.5);
  relight(raster, (x, y) => {
    const down = y * tall;
    const leaves = fractal(noise, (x + down * lean) * scale, down * scale, 4);
    const branch = noise((x + down * lean) * scale * 0.35 + 9, down * scale * 0.35);
    return 1.06 - depth * smooth(-0.06, 0.16, leaves + branch * 0.3);
  });
}

/** A room lit from one side: bright by the window, dim in the far corner. */
export function sidelight(raster: Raster, fromLeft: boolean, depth: number): void {
  relight(raster, (x, y) => {
    const away = fromLeft ? x : 1 - x;
    return 1.1 - depth * smooth(0, 1.1, away * 0.85 + y * 0.3);
  });
}
