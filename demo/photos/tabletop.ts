import type { Random } from "../random.ts";
import { develop, drawn, hex, hsl, mix, rgb, type Size } from "./raster.ts";
import { blurred, type Fruit, fruitColor, toneOf } from "./shapes.ts";
import { dapple, roughen } from "./surface.ts";

export type TabletopSubject = {
  drink: "coffee" | "tea";
  food: "berries" | "tart" | "bread" | "citrus";
};

type Scene = Size & { subject: TabletopSubject; random: Random; unit: number; top: string };

/** A table from straight above: a cup, a plate, leaves and the sun through a tree. */
export async function tabletop(
  subject: TabletopSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const { width, height } = size;
  const unit = Math.min(width, height);
  const top = random.pick(["#cfc4b4", "#8d6446", "#5c473a", "#e6e1d8", "#7f8f92", "#a9805c"]);
  const wooden = top === "#8d6446" || top === "#5c473a" || top === "#a9805c";
  const scene = { width, height, subject, random, unit, top };
  const parts = [
    `${blurred("sh", unit * 0.014)}<rect width="${width}" height="${height}" fill="${top}"/>`,
    wooden ? planks(scene) : "",
    random.chance(0.7) ? napkin(scene) : "",
  ];
  const swap = random.chance(0.5);
  const cupAt = { x: width * (swap ? 0.3 : 0.68), y: height * random.between(0.3, 0.42) };
  const plateAt = { x: width * (swap ? 0.64 : 0.36), y: height * random.between(0.56, 0.66) };
  parts.push(
    plate(scene, plateAt.x, plateAt.y, unit * random.between(0.25, 0.3)),
    cup(scene, cupAt.x, cupAt.y, unit * random.between(0.125, 0.15)),
  );
  if (random.chance(0.75))
    parts.push(
      sprig(
        scene,
        width * random.between(0.08, 0.92),
        height * random.pick([0.08, 0.92]),
        unit * 0.3,
      ),
    );
  const image = await drawn(width, height, parts.join(""));
  roughen(
    image,
    random,
    wooden ? { scale: 60, amount: 0.2, stretch: 22 } : { scale: 12, amount: 0.1 },
  );
  roughen(image, random, { scale: 150, amount: 0.08 });
  if (random.chance(0.75)) dapple(image, random, random.between(0.2, 0.42));
  return develop(image, {
    ...size,
    random,
    grain: 4.5,
    vignette: 0.3,
    bloom: 0.18,
    warmth: random.between(0.1, 0.8),
  });
}

function planks({ width, height, top, random }: Scene): string {
  const count = random.integer(4, 7);
  return Array.from(
    { length: count },
    (_, i) =>
      `<rect y="${(height * i) / count}" width="${width}" height="${height / count}" fill="${hex(mix(rgb(top), [30, 18, 12], random.between(0, 0.22)))}"/><rect y="${(height * i) / count - 2}" width="${width}" height="4" fill="#140c08" opacity=".45"/>`,
  ).join("");
}

function napkin({ width, height, unit, random }: Scene): string {
  const hue = random.pick([5, 205, 150, 40, 220]);
  const cloth = hex(hsl(hue, 0.25, 0.78));
  const line = hex(hsl(hue, 0.5, 0.48));
  const w = unit * 0.72;
  const stripes = [0.08, 0.12, 0.88, 0.92]
    .map(
      (at) =>
        `<rect x="${w * at}" width="${w * 0.018}" height="${w}" fill="${line}"/><rect y="${w * at}" width="${w}" height="${w * 0.018}" fill="${line}"/>`,
    )
    .join("");
  return `<g transform="translate(${width * 0.5 * random.between(0.6, 1)} ${height * 0.16}) rotate(${random.between(8, 40)})"><rect x="8" y="10" width="${w}" height="${w}" fill="#120a0c" opacity=".35" filter="url(#sh)"/><rect width="${w}" height="${w}" fill="${cloth}"/><g opacity=".7">${stripes}</g></g>`;
}

function cup(scene: Scene, x: number, y: number, r: number): string {
  const { random, subject } = scene;
  const glaze = hex(hsl(random.pick([40, 200, 20, 160]), 0.12, random.between(0.8, 0.94)));
  const tea = subject.drink === "tea";
  const handle = random.between(0, 360);
  const foam = tea ? "" : rosette(scene, x, y, r * 0.6);
  return (
    round(x, y, r * 1.62, glaze) +
    `<circle cx="${x}" cy="${y}" r="${r * 1.36}" fill="none" stroke="#000" stroke-opacity=".09" stroke-width="${r * 0.07}"/>` +
    `<g transform="rotate(${handle} ${x} ${y})"><rect x="${x + r * 0.8}" y="${y - r * 0.12}" width="${r * 0.62}" height="${r * 0.24}" rx="${r * 0.12}" fill="${glaze}" stroke="#00000033"/></g>` +
    round(x, y, r, glaze) +
    `<radialGradient id="drink"><stop stop-color="${tea ? "#c9702a" : "#9a6238"}"/><stop offset=".8" stop-color="${tea ? "#a04c18" : "#6a3c20"}"/><stop offset="1" stop-color="#2e1609"/></radialGradient><circle cx="${x}" cy="${y}" r="${r * 0.87}" fill="url(#drink)"/>${foam}` +
    `<path d="M${x - r * 0.6} ${y - r * 0.5}A${r * 0.8} ${r * 0.8} 0 0 1 ${x + r * 0.2} ${y - r * 0.76}" stroke="#fff" stroke-opacity=".5" stroke-width="${r * 0.04}" fill="none"/>`
  );
}

/** Milk drawn into the coffee, leaf by leaf. */
function rosette({ random }: Scene, x: number, y: number, r: number): string {
  const leaves = Array.from({ length: 6 }, (_, i) => {
    const w = r * (0.95 - i * 0.13);
    const at = r * (0.62 - i * 0.24);
    return `<path d="M0 ${at + r * 0.1}Q${-w * 1.15} ${at} ${-w * 0.85} ${at - r * 0.42}Q${-w * 0.4} ${at - r * 0.05} 0 ${at - r * 0.12}Q${w * 0.4} ${at - r * 0.05} ${w * 0.85} ${at - r * 0.42}Q${w * 1.15} ${at} 0 ${at + r * 0.1}Z"/>`;
  }).join("");
  return `<g transform="translate(${x} ${y}) rotate(${random.between(0, 360)})" fill="#f2dfc2" opacity=".92">${leaves}</g>`;
}

function plate(scene: Scene, x: number, y: number, r: number): string {
  const { random, subject } = scene;
  const glaze = toneOf(random, [40, 200, 25, 215, 150], [0.05, 0.3], [0.72, 0.93]);
  return (
    round(x, y, r, hex(glaze)) +
    `<circle cx="${x}" cy="${y}" r="${r * 0.7}" fill="${hex(mix(glaze, [255, 255, 255], 0.35))}" stroke="#00000026" stroke-width="2"/>` +
    { berries, tart, bread, citrus }[subject.food](scene, x, y, r * 0.6)
  );
}

function berries({ random }: Scene, x: number, y: number, r: number): string {
  return Array.from({ length: 34 }, (_, i) => {
    const angle = i * 2.4;
    const away = r * Math.sqrt(i / 34) * 0.95;
    const color = random.chance(0.5)
      ? hsl(random.between(225, 250), 0.36, random.between(0.24, 0.38))
      : hsl(random.between(345, 358), 0.75, random.between(0.38, 0.5));
    return sphere(
      x + Math.cos(angle) * away,
      y + Math.sin(angle) * away,
      r * random.between(0.12, 0.16),
      hex(color),
      hex(mix(color, [255, 255, 255], 0.4)),
    );
  }).join("");
}

function tart({ random }: Scene, x: number, y: number, r: number): string {
  const rim = Array.from(
    { length: 28 },
    (_, i) =>
      `<circle cx="${x + Math.cos(i * 0.2244) * r * 0.92}" cy="${y + Math.sin(i * 0.2244) * r * 0.92}" r="${r * 0.12}" fill="#b9813f"/>`,
  ).join("");
  const fruit: Fruit = random.pick(["peaches", "plums", "apples"]);
  const slices = Array.from({ length: 16 }, (_, i) => {
    const color = mix(fruitColor(fruit, random), [255, 225, 160], 0.3);
    return `<g transform="rotate(${i * 22.5} ${x} ${y})"><path d="M${x - r * 0.12} ${y - r * 0.78}Q${x + r * 0.2} ${y - r * 0.86} ${x + r * 0.17} ${y - r * 0.5}Q${x + r * 0.12} ${y - r * 0.2} ${x} ${y - r * 0.18}Q${x + r * 0.03} ${y - r * 0.5} ${x - r * 0.12} ${y - r * 0.78}Z" fill="${hex(color)}" stroke="#5a2c14" stroke-opacity=".35"/></g>`;
  }).join("");
  return `${round(x, y, r * 0.98, "#c48f4e")}${rim}<circle cx="${x}" cy="${y}" r="${r * 0.84}" fill="#e8c87c"/>${slices}<circle cx="${x}" cy="${y}" r="${r * 0.16}" fill="#d9a44e"/>`;
}

function bread({ random }: Scene, x: number, y: number, r: number): string {
  const slice = (dx: number, dy: number, turn: number) =>
    `<g transform="translate(${x + dx} ${y + dy}) rotate(${turn})"><path d="M${-r * 0.52} ${r * 0.42}Q${-r * 0.62} ${-r * 0.1} ${-r * 0.5} ${-r * 0.34}Q0 ${-r * 0.72} ${r * 0.5} ${-r * 0.34}Q${r * 0.62} ${-r * 0.1} ${r * 0.52} ${r * 0.42}Z" fill="#120a0c" opacity=".4" transform="translate(6 8)" filter="url(#sh)"/><path d="M${-r * 0.52} ${r * 0.42}Q${-r * 0.62} ${-r * 0.1} ${-r * 0.5} ${-r * 0.34}Q0 ${-r * 0.72} ${r * 0.5} ${-r * 0.34}Q${r * 0.62} ${-r * 0.1} ${r * 0.52} ${r * 0.42}Z" fill="#e6c28c" stroke="#8a5526" stroke-width="${r * 0.07}"/>` +
    Array.from(
      { length: 26 },
      () =>
        `<ellipse cx="${random.between(-0.4, 0.4) * r}" cy="${random.between(-0.34, 0.34) * r}" rx="${r * random.between(0.01, 0.045)}" ry="${r * random.between(0.01, 0.03)}" fill="#b98a50" opacity=".7"/>`,
    ).join("") +
    `<rect x="${-r * 0.16}" y="${-r * 0.14}" width="${r * 0.32}" height="${r * 0.24}" rx="5" fill="#fbeaa6"/></g>`;
  return (
    slice(-r * 0.3, -r * 0.14, random.between(-30, 0)) +
    slice(r * 0.3, r * 0.22, random.between(0, 40))
  );
}

function citrus({ random }: Scene, x: number, y: number, r: number): string {
  const slice = (dx: number, dy: number, size: number, hue: number) => {
    const cx = x + dx * r;
    const cy = y + dy * r;
    const cells = Array.from(
      { length: 9 },
      (_, i) =>
        `<path d="M0 ${-size * 0.1}L${-size * 0.24} ${-size * 0.72}Q0 ${-size * 0.92} ${size * 0.24} ${-size * 0.72}Z" fill="${hex(hsl(hue, 0.85, random.between(0.54, 0.64)))}" transform="translate(${cx} ${cy}) rotate(${i * 40 + dx * 90})"/>`,
    ).join("");
    return (
      round(cx, cy, size, hex(hsl(hue, 0.85, 0.52))) +
      `<circle cx="${cx}" cy="${cy}" r="${size * 0.92}" fill="#fbf0d0"/>${cells}`
    );
  };
  return (
    slice(-0.4, -0.3, r * 0.48, 30) +
    slice(0.42, -0.2, r * 0.44, 48) +
    slice(-0.08, 0.42, r * 0.46, random.pick([8, 30, 48]))
  );
}

function sprig({ random }: Scene, x: number, y: number, long: number): string {
  const turn = random.between(0, 360);
  const green = hsl(random.between(90, 150), 0.25, random.between(0.26, 0.38));
  const leaves = Array.from({ length: 9 }, (_, i) => {
    const side = i % 2 === 0 ? 1 : -1;
    const at = (long * (i + 1)) / 10;
    const size = long * 0.2 * (1 - i * 0.06);
    return `<path d="M${at} 0q${size * 0.3} ${-side * size * 0.8} ${size} ${-side * size * 0.8}q${-size * 0.1} ${side * size * 0.7} ${-size} ${side * size * 0.8}Z" fill="${hex(mix(green, [230, 240, 200], random.between(0, 0.2)))}"/>`;
  }).join("");
  const whole = `<path d="M0 0H${long}" stroke="${hex(mix(green, [70, 50, 30], 0.5))}" stroke-width="3"/>${leaves}`;
  return `<g transform="translate(${x + 8} ${y + 10}) rotate(${turn})" opacity=".3" filter="url(#sh)">${whole.replaceAll(/fill="#[^"]*"/g, 'fill="#120a0c"')}</g><g transform="translate(${x} ${y}) rotate(${turn})">${whole}</g>`;
}

function round(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${x + r * 0.1}" cy="${y + r * 0.13}" r="${r}" fill="#120a0c" opacity=".42" filter="url(#sh)"/><circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
}

function sphere(x: number, y: number, r: number, color: string, light: string): string {
  return `<circle cx="${x + r * 0.15}" cy="${y + r * 0.2}" r="${r * 1.06}" fill="#120a0c" opacity=".4"/><circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/><circle cx="${x - r * 0.3}" cy="${y - r * 0.3}" r="${r * 0.34}" fill="${light}" opacity=".7"/>`;
}
