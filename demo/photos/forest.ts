import type { Random } from "../random.ts";
import { fractal, noiseOf } from "./noise.ts";
import { develop, drawn, hex, mix, rgb, type Size } from "./raster.ts";
import { relight } from "./surface.ts";

export type ForestSubject = { weather: "fog" | "frost" | "sunrise" | "autumn" };

const moods = {
  fog: { sky: ["#dfe5e3", "#cfd8d6"], trees: ["#243832", "#2b3d3f", "#2a3a2f"] },
  frost: { sky: ["#e8eef6", "#cbdaea"], trees: ["#33475c", "#3a4a5e", "#2f4250"] },
  autumn: {
    sky: ["#f0e4cf", "#e3ddd0"],
    trees: ["#8f4f22", "#b07a2c", "#6b5a2a", "#7a3526", "#3f4a30"],
  },
  sunrise: { sky: ["#f6d7ae", "#f3c49a", "#f0cdb9"], trees: ["#3b3a2e", "#4a3a38", "#33392c"] },
};

/** Rows of conifers, each paler than the one in front. */
export async function forest(
  { weather }: ForestSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const { width, height } = size;
  const mood = moods[weather];
  const sky = rgb(random.pick(mood.sky));
  const usual = rgb(random.pick(mood.trees));
  // In autumn every row has a colour of its own.
  const tint = () => (weather === "autumn" ? rgb(random.pick(mood.trees)) : usual);
  const dark = tint();
  const rows = random.integer(5, 7);
  const unit = Math.min(width, height * 1.3);
  const parts: string[] = [];
  const lit = { x: random.between(0.25, 0.75) * width, y: height * random.between(0.16, 0.34) };
  parts.push(
    `<linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${hex(mix(sky, [255, 255, 255], 0.15))}"/><stop offset="1" stop-color="${hex(mix(sky, dark, 0.12))}"/></linearGradient>` +
      `<radialGradient id="l"><stop stop-color="#fffbe6" stop-opacity=".95"/><stop offset=".25" stop-color="#fff3d0" stop-opacity=".5"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>` +
      `<rect width="${width}" height="${height}" fill="url(#s)"/>` +
      (weather === "fog"
        ? ""
        : `<circle cx="${lit.x}" cy="${lit.y}" r="${unit * 0.4}" fill="url(#l)"/>`),
  );
  for (let row = 0; row < rows; row += 1) {
    const near = row / (rows - 1);
    const own = tint();
    const color = hex(mix(mix(sky, own, 0.1), own, near ** 1.25));
    const foot = height * (0.5 + near * 0.56);
    const noise = noiseOf(random);
    const trees: string[] = [`M-20 ${height + 20}`];
    const spacing = unit * (0.016 + near * 0.05);
    const hills: string[] = [];
    for (let x = -spacing; x < width + spacing * 2; x += spacing * random.between(0.55, 1.3)) {
      const ground = foot - fractal(noise, (x / width) * 1.7, row * 5, 3) * height * 0.2;
      const tall = unit * (0.07 + near * 0.3) * random.between(0.55, 1.12);
      hills.push(
        pine(x, ground, tall, random),
        `M${x - spacing * 2} ${ground - tall * 0.06}L${x + spacing * 2} ${ground - tall * 0.06}V${height + 10}H${x - spacing * 2}Z`,
      );
    }
    const blur = row === rows - 1 ? 1.6 : 0.7;
    parts.push(
      `<filter id="f${row}"><feGaussianBlur stdDeviation="${blur}"/></filter><path d="${trees.join("")}${hills.join("")}" fill="${color}" filter="url(#f${row})"/>`,
      `<linearGradient id="m${row}" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${hex(sky)}" stop-opacity="0"/><stop offset="1" stop-color="${hex(sky)}" stop-opacity="${0.5 * (1 - near)}"/></linearGradient><rect y="${foot - height * 0.25}" width="${width}" height="${height * 0.4}" fill="url(#m${row})"/>`,
    );
  }
  const image = await drawn(width, height, parts.join(""));
  const noise = noiseOf(random);
  relight(image, (x, y) => 1 + fractal(noise, x * 2.2, y * 5, 4) * 0.16);
  return develop(image, {
    ...size,
    random,
    grain: 5.5,
    vignette: 0.3,
    bloom: 0.3,
    warmth: weather === "sunrise" ? 0.6 : -0.2,
  });
}

function pine(x: number, foot: number, tall: number, random: Random): string {
  const right: string[] = [];
  const left: string[] = [];
  const tiers = 11;
  const wide = random.between(0.15, 0.21);
  for (let tier = 1; tier <= tiers; tier += 1) {
    const y = foot - tall + (tall * tier) / tiers;
    const reach = tall * wide * (tier / tiers) ** 0.9;
    right.push(
      `L${x + reach * random.between(0.7, 1.1)} ${y}L${x + reach * 0.45} ${y - tall * 0.015}`,
    );
    left.unshift(
      `L${x - reach * 0.45} ${y - tall * 0.015}L${x - reach * random.between(0.7, 1.1)} ${y}`,
    );
  }
  return `M${x} ${foot - tall}${right.join("")}${left.join("")}Z`;
}
