import type { Random } from "../random.ts";
import { type Color, develop, drawn, hex, hsl, mix, rgb, type Size } from "./raster.ts";
import { ball, blurred, type Flower, flower, type Fruit, fruitColor, toneOf } from "./shapes.ts";
import { relight, roughen } from "./surface.ts";

export type StillLifeSubject = { thing: "vase" | "bowl" | "books"; fruit: Fruit; flower: Flower };

const walls = [
  "#c9bba6",
  "#a9b3ae",
  "#8c9aa6",
  "#d8cdbb",
  "#b99c8b",
  "#6f7d78",
  "#50596a",
  "#d0b9b0",
];
const tables = ["#8a5f42", "#6e4b36", "#a5795a", "#d8d0c4", "#4d4038"];

type Scene = Size & {
  subject: StillLifeSubject;
  random: Random;
  unit: number;
  fromLeft: boolean;
  /** 1 or -1: which way the light goes */
  toward: number;
};

/** Things on a table by a window that we do not see. */
export async function stillLife(
  subject: StillLifeSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const { width, height } = size;
  const unit = Math.min(width, height);
  const wall = rgb(random.pick(walls));
  const table = rgb(random.pick(tables));
  const fromLeft = random.chance(0.5);
  const edge = height * random.between(0.66, 0.74);
  const foot = edge + (height - edge) * random.between(0.3, 0.42);
  const center = width * random.between(0.4, 0.6);
  const toward = fromLeft ? 1 : -1;
  const scene = { width, height, subject, random, unit, fromLeft, toward };
  const parts = [
    `<linearGradient id="wall" x1="${fromLeft ? 0 : 1}" x2="${fromLeft ? 1 : 0}" y1="0" y2=".6"><stop stop-color="${hex(mix(wall, [255, 250, 238], 0.4))}"/><stop offset=".5" stop-color="${hex(wall)}"/><stop offset="1" stop-color="${hex(mix(wall, [24, 22, 34], 0.5))}"/></linearGradient>` +
      `<linearGradient id="table" x1="0" x2="0" y1="0" y2="1"><stop stop-color="${hex(mix(table, [255, 246, 230], 0.16))}"/><stop offset="1" stop-color="${hex(mix(table, [20, 12, 10], 0.35))}"/></linearGradient>` +
      blurred("soft", unit * 0.012) +
      blurred("softer", unit * 0.03),
    `<rect width="${width}" height="${edge}" fill="url(#wall)"/>`,
    windowLight(scene),
    `<rect y="${edge}" width="${width}" height="${height - edge}" fill="url(#table)"/><rect y="${edge - 2}" width="${width}" height="5" fill="#fff" opacity=".1"/>`,
  ];
  const main = { vase, bowl, books }[subject.thing];
  parts.push(main(scene, center, foot));
  const beside = random.integer(1, 4);
  for (let i = 0; i < beside; i += 1) {
    const r = unit * random.between(0.042, 0.058);
    const side = i % 2 === 0 ? toward : -toward;
    const x = center + side * unit * (0.24 + 0.1 * Math.floor(i / 2) + random.between(0, 0.05));
    parts.push(fruitAt(scene, `s${i}`, x, foot + unit * random.between(0.01, 0.07) - r * 0.5, r));
  }
  if (random.chance(0.55))
    parts.push(cup(scene, center - toward * unit * random.between(0.36, 0.44), foot + unit * 0.03));
  const image = await drawn(width, height, parts.join(""));
  roughen(image, random, { scale: 7, amount: 0.1, stretch: 3 });
  roughen(image, random, { scale: 130, amount: 0.06 });
  relight(image, (x, y) => 1.12 - 0.34 * (fromLeft ? x : 1 - x) - 0.1 * y);
  return develop(image, {
    ...size,
    random,
    grain: 5.5,
    vignette: 0.4,
    bloom: 0.2,
    warmth: random.between(0.1, 0.9),
  });
}

function windowLight({ width, height, unit, random, fromLeft, toward }: Scene): string {
  const x = width * (fromLeft ? random.between(0.3, 0.5) : random.between(0.2, 0.4));
  const y = height * random.between(0.08, 0.2);
  const w = unit * 0.17;
  const h = unit * 0.24;
  const skew = toward * random.between(8, 20);
  const panes = [0, 1].flatMap((column) =>
    [0, 1].map(
      (row) => `<rect x="${column * w * 1.1}" y="${row * h * 1.08}" width="${w}" height="${h}"/>`,
    ),
  );
  return `<g transform="translate(${x} ${y}) skewY(${skew})" fill="#fff3d6" opacity="${random.between(0.2, 0.42)}" filter="url(#soft)">${panes.join("")}</g>`;
}

function shadow({ toward }: Scene, x: number, y: number, w: number, long: number): string {
  return `<ellipse cx="${x + toward * long * 0.5}" cy="${y}" rx="${w * 0.5 + long * 0.5}" ry="${w * 0.16}" fill="#120a10" opacity=".42" filter="url(#softer)"/><ellipse cx="${x + toward * w * 0.08}" cy="${y}" rx="${w * 0.5}" ry="${w * 0.1}" fill="#0c0610" opacity=".5" filter="url(#soft)"/>`;
}

function fruitAt(scene: Scene, id: string, x: number, y: number, r: number): string {
  const { random, subject, fromLeft } = scene;
  const long = subject.fruit === "lemons" || subject.fruit === "limes" ? 0.82 : 0.94;
  const stem =
    subject.fruit === "apples" || subject.fruit === "tomatoes" || subject.fruit === "plums";
  return (
    shadow(scene, x, y + r * 0.86, r * 1.9, r * 1.6) +
    ball(id, { x, y, r, color: fruitColor(subject.fruit, random), fromLeft, squash: long }) +
    (stem
      ? `<path d="M${x} ${y - r * 0.82}q${r * 0.05} ${-r * 0.25} ${r * 0.2} ${-r * 0.36}" stroke="#4a3a20" stroke-width="${r * 0.09}" fill="none"/>`
      : "")
  );
}

function turned({ fromLeft }: Scene, id: string, color: Color): string {
  return `<linearGradient id="${id}" x1="${fromLeft ? 0 : 1}" x2="${fromLeft ? 1 : 0}" y1="0" y2="0"><stop stop-color="${hex(mix(color, [255, 250, 235], 0.2))}"/><stop offset=".25" stop-color="${hex(mix(color, [255, 250, 235], 0.5))}"/><stop offset=".55" stop-color="${hex(color)}"/><stop offset="1" stop-color="${hex(mix(color, [18, 10, 24], 0.6))}"/></linearGradient>`;
}

function vase(scene: Scene, x: number, y: number): string {
  const { unit, random, subject } = scene;
  const h = unit * random.between(0.3, 0.4);
  const w = unit * random.between(0.075, 0.11);
  const neck = w * random.between(0.3, 0.55);
  const color = toneOf(random, [205, 30, 165, 12, 225, 45], [0.12, 0.45], [0.35, 0.72]);
  const body = `M${x - neck} ${y - h}Q${x - neck * 0.7} ${y - h * 0.78} ${x - w} ${y - h * 0.48}Q${x - w * 1.18} ${y - h * 0.14} ${x - w * 0.55} ${y}H${x + w * 0.55}Q${x + w * 1.18} ${y - h * 0.14} ${x + w} ${y - h * 0.48}Q${x + neck * 0.7} ${y - h * 0.78} ${x + neck} ${y - h}Z`;
  const stems: string[] = [];
  const heads: string[] = [];
  const count = random.integer(5, 11);
  for (let i = 0; i < count; i += 1) {
    const angle = (-60 + (120 * (i + 0.5)) / count + random.between(-8, 8)) * (Math.PI / 180);
    const reach = unit * random.between(0.16, 0.3);
    const fx = x + Math.sin(angle) * reach * 0.95;
    const fy = y - h - Math.cos(angle) * reach;
    const green = hex(hsl(random.between(85, 130), 0.3, random.between(0.2, 0.34)));
    stems.push(
      `<path d="M${x} ${y - h * 0.9}Q${x + Math.sin(angle) * reach * 0.25} ${y - h - reach * 0.5} ${fx} ${fy}" stroke="${green}" stroke-width="${unit * 0.006}" fill="none"/>`,
    );
    for (let leaf = 0; leaf < 2; leaf += 1) {
      const along = random.between(0.3, 0.8);
      const lx = x + (fx - x) * along;
      const ly = y - h + (fy - y + h) * along;
      const side = random.chance(0.5) ? 1 : -1;
      stems.push(
        `<path d="M${lx} ${ly}q${side * unit * 0.035} ${-unit * 0.03} ${side * unit * 0.07} ${-unit * 0.01}q${-side * unit * 0.03} ${unit * 0.035} ${-side * unit * 0.07} ${unit * 0.01}Z" fill="${green}"/>`,
      );
    }
    heads.push(flower(subject.flower, fx, fy, unit * random.between(0.04, 0.058), random));
  }
  return `${shadow(scene, x, y, w * 2, w * 3)}${stems.join("")}${heads.join("")}${turned(scene, "vase", color)}<path d="${body}" fill="url(#vase)"/><ellipse cx="${x}" cy="${y - h}" rx="${neck}" ry="${neck * 0.22}" fill="${hex(mix(color, [20, 12, 24], 0.6))}"/>`;
}

function bowl(scene: Scene, x: number, y: number): string {
  const { unit, random, subject, fromLeft } = scene;
  const w = unit * random.between(0.19, 0.24);
  const h = w * random.between(0.62, 0.8);
  const color = toneOf(random, [210, 35, 190, 15, 45, 230], [0.1, 0.4], [0.42, 0.78]);
  const r = w * 0.36;
  const pile: string[] = [];
  const places: [number, number][] = [
    [-0.55, -0.18],
    [0.55, -0.16],
    [0, -0.3],
    [-0.3, -0.02],
    [0.32, 0],
    [0.02, 0.06],
    [-0.15, -0.62],
    [0.3, -0.56],
  ];
  for (const [i, [dx, dy]] of places.entries()) {
    pile.push(
      ball(`p${i}`, {
        x: x + dx * w,
        y: y - h + dy * w,
        r: r * random.between(0.9, 1.06),
        color: fruitColor(subject.fruit, random),
        fromLeft,
        squash: 0.95,
      }),
    );
  }
  return `${shadow(scene, x, y, w * 1.5, w * 1.7)}<ellipse cx="${x}" cy="${y - h}" rx="${w}" ry="${w * 0.2}" fill="${hex(mix(color, [16, 10, 20], 0.65))}"/>${pile.join("")}${turned(scene, "bowl", color)}<path d="M${x - w} ${y - h}Q${x} ${y - h + w * 0.4} ${x + w} ${y - h}Q${x + w * 0.86} ${y - h * 0.14} ${x + w * 0.4} ${y - h * 0.06}L${x + w * 0.38} ${y}H${x - w * 0.38}L${x - w * 0.4} ${y - h * 0.06}Q${x - w * 0.86} ${y - h * 0.14} ${x - w} ${y - h}Z" fill="url(#bowl)"/>`;
}

function books(scene: Scene, x: number, y: number): string {
  const { unit, random, subject, fromLeft } = scene;
  const parts = [shadow(scene, x, y, unit * 0.46, unit * 0.2)];
  let top = y;
  const count = random.integer(3, 6);
  for (let i = 0; i < count; i += 1) {
    const thick = unit * random.between(0.032, 0.055);
    const wide = unit * random.between(0.32, 0.42) * (1 - i * 0.04);
    const left = x - wide / 2 + random.normal() * unit * 0.014;
    const color = toneOf(random, [8, 28, 150, 205, 222, 45, 340, 265], [0.25, 0.5], [0.28, 0.52]);
    parts.push(
      `${turned(scene, `k${i}`, color)}<rect x="${left}" y="${top - thick}" width="${wide}" height="${thick - 1.5}" rx="4" fill="url(#k${i})"/>`,
    );
    if (random.chance(0.5))
      parts.push(
        `<rect x="${left + wide * 0.08}" y="${top - thick}" width="${wide * 0.03}" height="${thick - 1.5}" fill="#f3e3b8" opacity=".7"/><rect x="${left + wide * 0.86}" y="${top - thick}" width="${wide * 0.03}" height="${thick - 1.5}" fill="#f3e3b8" opacity=".7"/>`,
      );
    else
      parts.push(
        `<rect x="${left + wide * 0.02}" y="${top - thick * 0.85}" width="${wide * 0.97}" height="${thick * 0.62}" fill="#efe6d2"/><path d="M${left + wide * 0.02} ${top - thick * 0.55}h${wide * 0.97}M${left + wide * 0.02} ${top - thick * 0.4}h${wide * 0.97}" stroke="#a99a80" stroke-width="1" opacity=".6"/>`,
      );
    top -= thick;
  }
  const r = unit * 0.05;
  return (
    parts.join("") +
    ball("t", {
      x: x + unit * random.between(-0.06, 0.06),
      y: top - r * 0.9,
      r,
      color: fruitColor(subject.fruit, random),
      fromLeft,
      squash: 0.94,
    })
  );
}

function cup(scene: Scene, x: number, y: number): string {
  const { unit, random, toward } = scene;
  const w = unit * 0.065;
  const h = w * 1.35;
  const color = hsl(random.pick([40, 200, 15]), 0.15, 0.82);
  return `${shadow(scene, x, y, w * 1.9, w * 1.6)}${turned(scene, "cup", color)}<path d="M${x + toward * w * 0.9} ${y - h * 0.75}q${toward * w * 0.75} 0 ${toward * w * 0.62} ${h * 0.3}q${-toward * w * 0.1} ${h * 0.24} ${-toward * w * 0.75} ${h * 0.2}" stroke="${hex(mix(color, [60, 50, 60], 0.35))}" stroke-width="${w * 0.17}" fill="none"/><path d="M${x - w} ${y - h}L${x - w * 0.72} ${y - h * 0.1}Q${x} ${y + h * 0.08} ${x + w * 0.72} ${y - h * 0.1}L${x + w} ${y - h}Z" fill="url(#cup)"/><ellipse cx="${x}" cy="${y - h}" rx="${w}" ry="${w * 0.24}" fill="${hex(mix(color, [255, 255, 255], 0.4))}"/><ellipse cx="${x}" cy="${y - h * 0.97}" rx="${w * 0.88}" ry="${w * 0.18}" fill="#3a2115"/>`;
}
