import type { Random } from "../random.ts";
import { develop, drawn, hex, hsl, mix, type Size } from "./raster.ts";
import { blurred, type Flower, flower, flowerKinds } from "./shapes.ts";

export type MeadowSubject = { flower: Flower; light: "morning" | "evening" };

/** Flowers in a meadow, a few of them sharp, the rest a blur of colour. */
export async function meadow(subject: MeadowSubject, size: Size, random: Random): Promise<Buffer> {
  const { width, height } = size;
  const unit = Math.min(width, height);
  const evening = subject.light === "evening";
  const back = hsl(random.between(68, 130), 0.3, random.between(0.3, 0.44));
  const glow = evening ? hsl(42, 0.8, 0.76) : hsl(random.between(150, 210), 0.35, 0.84);
  const other = random.pick(flowerKinds);
  const parts = [
    `<linearGradient id="b" x1="0" y1="0" x2=".15" y2="1"><stop stop-color="${hex(glow)}"/><stop offset=".42" stop-color="${hex(mix(glow, back, 0.62))}"/><stop offset="1" stop-color="${hex(mix(back, [16, 30, 14], 0.62))}"/></linearGradient><rect width="${width}" height="${height}" fill="url(#b)"/>`,
  ];
  const layers = [
    { blur: 0.05, count: 26, r: 0.035, low: 0.3, high: 0.85 },
    { blur: 0.022, count: 22, r: 0.04, low: 0.35, high: 0.95 },
    { blur: 0.007, count: 12, r: 0.05, low: 0.3, high: 0.8 },
    { blur: 0.0009, count: random.integer(3, 6), r: 0.085, low: 0.24, high: 0.62 },
    { blur: 0.03, count: 3, r: 0.12, low: 0.85, high: 1.1 },
  ];
  for (const [index, layer] of layers.entries()) {
    const stems: string[] = [];
    const heads: string[] = [];
    const sharp = index === 3;
    for (let i = 0; i < layer.count; i += 1) {
      const x = sharp
        ? width * (0.12 + (0.76 * (i + random.between(0.15, 0.85))) / layer.count)
        : random.between(-0.05, 1.05) * width;
      const y = random.between(layer.low, layer.high) * height;
      const r = unit * layer.r * random.between(0.7, 1.25);
      const bend = random.normal() * unit * 0.05;
      const green = hex(
        hsl(
          random.between(80, 120),
          0.36,
          sharp ? random.between(0.26, 0.36) : random.between(0.2, 0.42),
        ),
      );
      stems.push(
        `<path d="M${x} ${y}Q${x + bend * 0.2} ${y + height * 0.3} ${x + bend} ${height * 1.1}" stroke="${green}" stroke-width="${r * 0.11}" fill="none"/>`,
      );
      if (random.chance(0.8))
        stems.push(leaf(x + bend * 0.1, y + r * random.between(2, 4), r, green));
      heads.push(flower(random.chance(0.82) ? subject.flower : other, x, y, r, random));
    }
    for (let blade = 0; blade < (sharp ? 30 : 46); blade += 1) {
      const x = random.between(-0.05, 1.05) * width;
      const tall = height * random.between(0.15, 0.62);
      stems.push(
        `<path d="M${x} ${height * 1.05}Q${x + random.normal() * 9} ${height - tall * 0.5} ${x + random.normal() * unit * 0.07} ${height - tall}" stroke="${hex(hsl(random.between(70, 125), 0.38, random.between(0.2, 0.46)))}" stroke-width="${unit * random.between(0.002, 0.006)}" fill="none"/>`,
      );
    }
    parts.push(
      `${blurred(`f${index}`, unit * layer.blur)}<g filter="url(#f${index})">${stems.join("")}${heads.join("")}</g>`,
    );
  }
  const sunX = random.chance(0.5) ? 0.12 : 0.88;
  parts.push(
    `<radialGradient id="sun" cx="${sunX}" cy="0" r=".9"><stop stop-color="${evening ? "#ffe2a0" : "#fffdf0"}" stop-opacity="${evening ? 0.75 : 0.5}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient><rect width="${width}" height="${height}" fill="url(#sun)"/>`,
  );
  const image = await drawn(width, height, parts.join(""));
  return develop(image, {
    ...size,
    random,
    grain: 4,
    vignette: 0.25,
    bloom: 0.3,
    warmth: evening ? 0.9 : 0.2,
  });
}

function leaf(x: number, y: number, r: number, color: string): string {
  const side = x % 2 > 1 ? 1 : -1;
  return `<path d="M${x} ${y}q${side * r * 0.9} ${-r * 1.1} ${side * r * 1.3} ${-r * 1.3}q${-side * r * 0.2} ${r * 0.9} ${-side * r * 1.3} ${r * 1.3}Z" fill="${color}"/>`;
}
