import type { Random } from "../random.ts";
import { fractal, noiseOf } from "./noise.ts";
import { blank, clamp, develop, mix, type Raster, rgb, smooth, type Size } from "./raster.ts";

export type NightSubject = { sight: "milkyWay" | "aurora" | "moon" };

/** A clear night over a dark ridge. */
export async function night({ sight }: NightSubject, size: Size, random: Random): Promise<Buffer> {
  const raster = blank(size.width, size.height);
  const noise = noiseOf(random);
  const fine = noiseOf(random);
  const { width, height, data } = raster;
  const top = rgb(random.pick(["#050b1e", "#081026", "#0a0d22", "#04141f"]));
  const low = rgb(random.pick(["#1d3358", "#2a3560", "#33406a", "#1b4a5a", "#4a3f66"]));
  const lean = random.between(-0.7, 0.7);
  const middle = random.between(0.35, 0.65);
  const green = random.pick([rgb("#4ee3a0"), rgb("#5fe08a"), rgb("#4fd3c4")]);
  const violet = rgb("#a45fd0");
  const moon = {
    x: random.between(0.2, 0.8),
    y: random.between(0.14, 0.36),
    r: random.between(0.022, 0.045),
  };
  for (let y = 0, at = 0; y < height; y += 1) {
    const down = y / height;
    const base = mix(top, low, smooth(0.1, 1, down));
    for (let x = 0; x < width; x += 1, at += 3) {
      const across = x / width;
      let color = base;
      if (sight === "milkyWay") {
        const off =
          across - middle - (down - 0.4) * lean + fractal(noise, across * 3, down * 3, 3) * 0.1;
        const band = Math.exp(-(off * off) / 0.018);
        const dust = smooth(
          0.05,
          0.4,
          fractal(noise, across * 6 + 4, down * 6, 5) + band * 0.2 - Math.abs(off) * 1.5,
        );
        const light =
          band * (0.55 + fractal(fine, across * 9, down * 9, 5) * 0.7) * (1 - dust * 0.65);
        color = mix(color, [196, 190, 214], clamp(light * 0.62, 0, 0.7));
        color = mix(color, [232, 180, 150], clamp(band * band * (1 - dust) * 0.22, 0, 1));
      } else if (sight === "aurora") {
        for (let curtain = 0; curtain < 3; curtain += 1) {
          const foot =
            0.62 -
            curtain * 0.13 +
            fractal(noise, across * (1.1 + curtain * 0.5) + curtain * 11, curtain * 7.3 + 0.4, 3) *
              0.5;
          const above = foot - down;
          if (above < -0.03) continue;
          const rays = 0.5 + 0.5 * noise(across * 26 + above * 5 + curtain * 9, down * 0.8);
          const light =
            smooth(-0.03, 0.015, above) * Math.exp(-above * (4.2 + curtain)) * (0.35 + rays * 0.65);
          color = mix(
            color,
            mix(green, violet, smooth(0.08, 0.34, above)),
            clamp(light * (0.85 - curtain * 0.2), 0, 0.9),
          );
        }
      } else {
        const distance = Math.hypot(across - moon.x, (down - moon.y) * (height / width));
        const face = 0.9 + fractal(fine, across * 60, down * 60, 4) * 0.25;
        color = mix(color, [190, 205, 235], 0.5 * Math.exp(-distance * 7));
        color = mix(
          color,
          [250 * face, 245 * face, 228 * face],
          smooth(moon.r, moon.r * 0.93, distance),
        );
        const cloud = smooth(0.05, 0.5, fractal(noise, across * 3.2, down * 9, 5) + 0.1);
        color = mix(
          color,
          mix([30, 40, 66], [150, 160, 186], Math.exp(-distance * 4)),
          cloud * 0.5,
        );
      }
      data[at] = color[0];
      data[at + 1] = color[1];
      data[at + 2] = color[2];
    }
  }
  stars(raster, random, sight === "moon" ? 0.25 : 1);
  ridge(raster, random);
  return develop(raster, { ...size, random, grain: 5, vignette: 0.35, bloom: 0.45 });
}

function stars({ width, height, data }: Raster, random: Random, many: number): void {
  const count = (width * height * many) / 700;
  for (let star = 0; star < count; star += 1) {
    const bright = random.next() ** 7;
    const x = random.integer(1, width - 3);
    const y = random.integer(1, height - 3);
    const warmth = random.between(-25, 25);
    const reach = bright > 0.55 ? 1 : 0;
    for (let dy = -reach; dy <= 1; dy += 1) {
      for (let dx = -reach; dx <= 1; dx += 1) {
        const power = (40 + bright * 330) * (dx === 0 && dy === 0 ? 1 : 0.3);
        const at = ((y + dy) * width + x + dx) * 3;
        data[at] = (data[at] as number) + power + warmth * bright;
        data[at + 1] = (data[at + 1] as number) + power;
        data[at + 2] = (data[at + 2] as number) + power - warmth * bright;
      }
    }
  }
}

function ridge({ width, height, data }: Raster, random: Random): void {
  const noise = noiseOf(random);
  const wooded = random.chance(0.6);
  for (let layer = 0; layer < 2; layer += 1) {
    const foot = height * (0.8 + layer * 0.09);
    for (let x = 0; x < width; x += 1) {
      const across = x / width;
      const hill = fractal(noise, across * 2.6 + layer * 20, layer * 9, 6) * height * 0.22;
      const trees =
        wooded && layer === 1
          ? Math.abs(noise(x * 0.09, 3)) * height * 0.035 +
            Math.abs(noise(x * 0.31, 8)) * height * 0.012
          : 0;
      const from = Math.max(0, Math.floor(foot - hill - trees));
      for (let y = from; y < height; y += 1) {
        const at = (y * width + x) * 3;
        const share = layer === 0 ? 0.72 : 0.93;
        data[at] = (data[at] as number) * (1 - share) + 9 * share;
        data[at + 1] = (data[at + 1] as number) * (1 - share) + 13 * share;
        data[at + 2] = (data[at + 2] as number) * (1 - share) + 24 * share;
        if (layer === 0) data[at + 2] = Math.min(data[at + 2] as number, 60);
      }
    }
  }
}
