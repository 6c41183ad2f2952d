import type { Random } from "../random.ts";
import { blank, develop, drawOver, drawn, hex, hsl, mix, rgb, type Size } from "./raster.ts";
import { lightOf } from "./daylight.ts";
import { cloudsOf, paintSky } from "./sky.ts";
import { paintWater } from "./water.ts";

/** City lights out of focus, as on a wet evening. */
export async function bokeh(_: object, size: Size, random: Random): Promise<Buffer> {
  const { width, height } = size;
  const hue = random.pick([18, 30, 210, 265, 335, 190, 8]);
  const dark = hex(hsl(random.between(205, 250), 0.45, 0.08));
  const glow = hex(hsl(random.between(200, 290), 0.4, 0.2));
  const discs: string[] = [];
  const streaks: string[] = [];
  const hues = [hue, hue + 14, 34, 42, 48, 200];
  const unit = Math.min(width, height);
  for (let i = 0; i < 120; i += 1) {
    const depth = random.next();
    const r = unit * (0.012 + depth * depth * 0.085);
    const x = random.between(-0.05, 1.05) * width;
    const y = height * (0.45 + random.normal() * 0.2);
    const color = hex(hsl(random.pick(hues), random.between(0.6, 0.95), random.between(0.5, 0.72)));
    const strength = random.between(0.1, 0.5) * (1.15 - depth * 0.6);
    discs.push(
      `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}" opacity="${strength}"/>` +
        `<circle cx="${x}" cy="${y}" r="${r * 0.96}" fill="none" stroke="${color}" stroke-width="${r * 0.07}" opacity="${strength * 0.7}"/>`,
    );
    // The wet street below mirrors and stretches them.
    if (random.chance(0.5)) {
      streaks.push(
        `<ellipse cx="${x}" cy="${height * 0.98 - (y - height * 0.45) * 0.5}" rx="${r * 0.8}" ry="${r * 3.2}" fill="${color}" opacity="${strength * 0.45}"/>`,
      );
    }
  }
  const image = await drawn(
    width,
    height,
    `<filter id="s"><feGaussianBlur stdDeviation="1.3"/></filter><filter id="w"><feGaussianBlur stdDeviation="${unit * 0.02}"/></filter>` +
      `<linearGradient id="n" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${dark}"/><stop offset=".55" stop-color="${glow}"/><stop offset="1" stop-color="${dark}"/></linearGradient>` +
      `<rect width="${width}" height="${height}" fill="url(#n)"/><g filter="url(#w)">${streaks.join("")}</g><g filter="url(#s)">${discs.join("")}</g>`,
  );
  return develop(image, { ...size, random, grain: 6, vignette: 0.4, bloom: 0.5 });
}

export type SkylineSubject = { hour: "sunset" | "dusk" | "golden" };

/** A town across the water, windows lit. */
export async function skyline(
  { hour }: SkylineSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const raster = blank(Math.round(size.width * 1.2), Math.round(size.height * 1.2));
  const { width, height } = raster;
  const light = lightOf(hour, random);
  const horizon = Math.round(height * random.between(0.58, 0.7));
  const sun = { x: width * random.between(0.2, 0.8), y: horizon * (1 - light.elevation * 0.6) };
  paintSky(raster, { light, clouds: cloudsOf(hour, random), horizon, sun, random });
  const layers = [0, 1, 2].map((layer) => houses(layer));
  const town = await drawOver(raster, ...layers);
  const water = new Uint8Array(width * height);
  water.fill(1, horizon * width);
  paintWater(town, {
    water,
    light,
    horizon,
    sun: { ...sun, y: horizon + 1 },
    wind: random.between(0.12, 0.4),
    random,
  });
  return develop(town, { ...size, random, grain: 5, vignette: 0.35, bloom: 0.5 });

  function houses(layer: number): string {
    const parts: string[] = [];
    const away = [0.55, 0.32, 0.06][layer] ?? 0;
    const wall = mix(rgb("#1b1d30"), light.horizon, away);
    const body = hex(mix(wall, light.middle, 0.12));
    const tall = [0.42, 0.3, 0.17][layer] ?? 0.2;
    const skip = random.between(0.3, 0.8);
    for (let x = -10; x < width;) {
      const wide = width * random.between(0.02, 0.065) * (layer === 2 ? 1.3 : 1);
      const high = height * tall * random.between(0.35, 1) * (random.chance(0.12) ? 1.35 : 1);
      const y = horizon - high;
      parts.push(
        `<rect x="${x}" y="${y}" width="${wide + 1}" height="${high + 2}" fill="${body}"/>`,
      );
      const roof = random.next();
      if (roof < (layer === 2 ? 0.55 : 0.15))
        parts.push(
          `<path d="M${x - 2} ${y}L${x + wide / 2} ${y - wide * 0.28}L${x + wide + 2} ${y}Z" fill="${body}"/>`,
        );
      else if (roof > 0.9)
        parts.push(`<path d="M${x + wide / 2 - 1.5} ${y - wide}h3V${y}h-3Z" fill="${body}"/>`);
      if (layer > 0) {
        const cell = Math.max(9, width * 0.0085);
        for (let wy = y + cell; wy < horizon - cell; wy += cell * 1.5) {
          for (let wx = x + cell * 0.6; wx < x + wide - cell * 0.8; wx += cell * 1.25) {
            if (random.next() < skip) continue;
            const lamp = hex(hsl(random.between(30, 48), 0.95, random.between(0.55, 0.78)));
            parts.push(
              `<rect x="${wx}" y="${wy}" width="${cell * 0.5}" height="${cell * 0.72}" fill="${lamp}" opacity="${random.between(0.55, 1)}"/>`,
            );
          }
        }
      }
      x += wide * random.between(0.9, 1.15);
    }
    return parts.join("");
  }
}
