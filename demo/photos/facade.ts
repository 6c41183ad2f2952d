import type { Random } from "../random.ts";
import { type Color, develop, drawn, hex, hsl, mix, rgb, type Size } from "./raster.ts";
import { toneOf } from "./shapes.ts";
import { relight, roughen } from "./surface.ts";

export type FacadeSubject = { wall: keyof typeof walls; flowers: boolean };

const walls = {
  ochre: ["#d9a860", "#cf9a55", "#e0b674"],
  pink: ["#e0a3a0", "#d88f8a", "#e7b5ac"],
  blue: ["#8fb1c9", "#7aa0bd", "#a6c3d3"],
  white: ["#ece6da", "#e4ded2", "#f1ede4"],
  green: ["#a3b899", "#8fab90", "#b5c6a4"],
  red: ["#b8604a", "#a9523f", "#c47358"],
};

export const wallColors = Object.keys(walls) as (keyof typeof walls)[];

type House = {
  subject: FacadeSubject;
  random: Random;
  trim: Color;
  /** pixels */
  windowWide: number;
  arched: boolean;
  shutters: boolean;
};

/** The front of a house across the street: windows, shutters, a door, the shadow of a roof. */
export async function facade(subject: FacadeSubject, size: Size, random: Random): Promise<Buffer> {
  const { width, height } = size;
  const wall = rgb(random.pick(walls[subject.wall]));
  const trim = mix(wall, [255, 252, 244], 0.65);
  const shutter = toneOf(random, [150, 195, 210, 28, 5, 165], [0.2, 0.45], [0.28, 0.46]);
  const columns = Math.max(2, Math.round((width / height) * random.between(2.1, 3.1)));
  const cell = width / columns;
  const floors = Math.max(1, Math.round((height * 0.74) / (cell * random.between(1.15, 1.4))));
  const street = height * random.between(0.9, 0.94);
  const tall = street / (floors + 0.08);
  const door = random.integer(0, columns - 1);
  const windowWide = cell * random.between(0.3, 0.4);
  const arched = random.chance(0.35);
  const shutters = random.chance(0.75);
  const house = { subject, random, trim, windowWide, arched, shutters };
  const parts: string[] = [
    defs(shutter),
    `<rect width="${width}" height="${height}" fill="${hex(wall)}"/>`,
    `<rect y="${street - tall * 0.1}" width="${width}" height="${tall * 0.1}" fill="#6d675f" opacity=".35"/>`,
  ];
  for (let floor = 0; floor < floors; floor += 1) {
    const base = street - floor * tall;
    if (floor > 0 && random.chance(0.7)) {
      parts.push(
        `<rect y="${base - tall * 0.05}" width="${width}" height="${tall * 0.045}" fill="${hex(trim)}"/><rect y="${base - tall * 0.005}" width="${width}" height="${tall * 0.03}" fill="#201a28" opacity=".22"/>`,
      );
    }
    for (let column = 0; column < columns; column += 1) {
      const x = (column + 0.5) * cell;
      if (floor === 0 && column === door) parts.push(doorAt(house, x, base, tall));
      else
        parts.push(
          windowAt(house, x, base - tall * 0.3, Math.min(tall * 0.5, windowWide * 1.75), floor),
        );
    }
  }
  parts.push(
    `<rect y="${street}" width="${width}" height="${height - street}" fill="url(#pavement)"/>`,
    `<rect y="${street - 3}" width="${width}" height="${height * 0.016}" fill="#1a1620" opacity=".3"/>`,
  );
  const image = await drawn(width, height, parts.join(""));
  roughen(image, random, { scale: 5, amount: 0.16 });
  roughen(image, random, { scale: 90, amount: 0.09 });
  // The roof across the street throws its shadow up the wall.
  const lean = random.between(-0.9, 0.9);
  const level = random.between(0.1, 0.8);
  const above = random.chance(0.5);
  relight(image, (x, y) => {
    const over = (y - level - (x - 0.5) * lean) * (above ? 1 : -1);
    return over > 0.004 ? 0.66 : over > -0.004 ? 0.83 : 1.08;
  });
  return develop(image, {
    ...size,
    random,
    grain: 5,
    vignette: 0.2,
    bloom: 0.18,
    warmth: random.between(0, 0.8),
  });
}

function windowAt(house: House, x: number, foot: number, high: number, floor: number): string {
  const { subject, random, trim, windowWide, arched, shutters } = house;
  const w = windowWide;
  const top = foot - high;
  const open = shutters && random.chance(0.8);
  const head = arched ? `Q${x} ${top - w * 0.35} ` : "L";
  const shape = (grow: number) =>
    `M${x - w / 2 - grow} ${foot + grow}V${top - grow}${head}${x + w / 2 + grow} ${top - grow}V${foot + grow}Z`;
  const glass = random.chance(0.2) ? "url(#lamp)" : "url(#glass)";
  const bars =
    `<path d="M${x} ${top - (arched ? w * 0.16 : 0)}V${foot}M${x - w / 2} ${top + high * 0.38}H${x + w / 2}M${x - w / 2} ${top + high * 0.7}H${x + w / 2}" stroke="${hex(mix(trim, [255, 255, 255], 0.4))}" stroke-width="${w * 0.055}" fill="none"/>` +
    (random.chance(0.5)
      ? `<path d="M${x - w / 2} ${top}Q${x - w * 0.42} ${top + high * 0.6} ${x - w * 0.2} ${foot}H${x - w / 2}ZM${x + w / 2} ${top}Q${x + w * 0.42} ${top + high * 0.6} ${x + w * 0.2} ${foot}H${x + w / 2}Z" fill="#fff" opacity=".45"/>`
      : "");
  const leaf = (side: 1 | -1) => {
    const edge = x + (side * w) / 2 + side * w * 0.07;
    const far = edge + side * w * 0.48;
    const slats = Array.from(
      { length: 12 },
      (_, slat) =>
        `M${edge + side * w * 0.06} ${top + (high * (slat + 0.7)) / 12}H${far - side * w * 0.06}`,
    ).join("");
    return `<path d="M${edge} ${top}H${far}V${foot}H${edge}Z" fill="url(#shutter)"/><path d="${slats}" stroke="#10121c" stroke-opacity=".32" stroke-width="${high * 0.014}"/><path d="M${far} ${top + 3}h${side * w * 0.06}V${foot + 4}h${-side * w * 0.06}Z" fill="#1b1524" opacity=".25"/>`;
  };
  const shut = shutters && !open && random.chance(0.6);
  const closed = shut
    ? `<path d="M${x - w / 2} ${top}H${x + w / 2}V${foot}H${x - w / 2}Z" fill="url(#shutter)"/><path d="${Array.from({ length: 12 }, (_, slat) => `M${x - w * 0.44} ${top + (high * (slat + 0.7)) / 12}H${x + w * 0.44}`).join("")}M${x} ${top}V${foot}" stroke="#10121c" stroke-opacity=".35" stroke-width="${high * 0.014}"/>`
    : "";
  return (
    `<path d="${shape(w * 0.1)}" fill="${hex(trim)}"/><path d="${shape(0)}" fill="${glass}"/>${closed || bars}` +
    `<path d="${shape(0)}" fill="none" stroke="#15121c" stroke-opacity=".35" stroke-width="${w * 0.03}"/>` +
    (open ? leaf(1) + leaf(-1) : "") +
    `<rect x="${x - w * 0.66}" y="${foot + w * 0.08}" width="${w * 1.32}" height="${w * 0.1}" fill="${hex(trim)}"/><rect x="${x - w * 0.66}" y="${foot + w * 0.18}" width="${w * 1.32}" height="${w * 0.08}" fill="#1b1524" opacity=".28"/>` +
    (subject.flowers && (floor > 0 || random.chance(0.5))
      ? flowerBox(house, x, foot + w * 0.1, w)
      : "")
  );
}

function flowerBox({ random }: House, x: number, y: number, w: number): string {
  const hue = random.pick([350, 330, 10, 45, 290]);
  const dots = Array.from({ length: 70 }, (_, index) => {
    const dx = random.between(-0.62, 0.62) * w;
    const dy =
      -Math.abs(random.normal()) * w * 0.11 + (random.chance(0.3) ? w * 0.2 * random.next() : 0);
    const leafy = index < 38;
    const color: Color = leafy
      ? hsl(random.between(95, 135), 0.35, random.between(0.2, 0.38))
      : hsl(hue + random.between(-8, 8), 0.75, random.between(0.45, 0.68));
    return `<circle cx="${x + dx}" cy="${y + dy}" r="${w * random.between(0.02, leafy ? 0.055 : 0.045)}" fill="${hex(color)}"/>`;
  });
  return `<rect x="${x - w * 0.6}" y="${y - w * 0.02}" width="${w * 1.2}" height="${w * 0.2}" rx="4" fill="#7a4b35"/>${dots.join("")}`;
}

function doorAt(
  { random, trim, windowWide }: House,
  x: number,
  base: number,
  floorTall: number,
): string {
  const w = windowWide * 1.45;
  const high = Math.min(floorTall * 0.78, w * 2);
  const top = base - high;
  const color = hex(toneOf(random, [205, 160, 8, 30, 225, 345], [0.3, 0.6], [0.22, 0.4]));
  const frame = (grow: number) =>
    `M${x - w / 2 - grow} ${base}V${top + w * 0.3}Q${x - w / 2 - grow} ${top - w * 0.12 - grow} ${x} ${top - w * 0.12 - grow}Q${x + w / 2 + grow} ${top - w * 0.12 - grow} ${x + w / 2 + grow} ${top + w * 0.3}V${base}Z`;
  const panels = [-1, 1]
    .map(
      (side) =>
        `<rect x="${x + (side * w) / 4 - w * 0.16}" y="${top + high * 0.36}" width="${w * 0.32}" height="${high * 0.24}" fill="none" stroke="#0d0a14" stroke-opacity=".4" stroke-width="3"/><rect x="${x + (side * w) / 4 - w * 0.16}" y="${top + high * 0.66}" width="${w * 0.32}" height="${high * 0.24}" fill="none" stroke="#0d0a14" stroke-opacity=".4" stroke-width="3"/>`,
    )
    .join("");
  return `<path d="${frame(w * 0.12)}" fill="${hex(trim)}"/><path d="${frame(0)}" fill="${color}"/><path d="M${x - w / 2} ${top + high * 0.28}H${x + w / 2}V${top + w * 0.3}Q${x + w / 2} ${top - w * 0.12} ${x} ${top - w * 0.12}Q${x - w / 2} ${top - w * 0.12} ${x - w / 2} ${top + w * 0.3}Z" fill="url(#glass)"/><path d="M${x} ${top - w * 0.1}V${base}" stroke="#0d0a14" stroke-opacity=".5" stroke-width="3"/>${panels}<circle cx="${x + w * 0.09}" cy="${top + high * 0.62}" r="${w * 0.03}" fill="#e3c067"/><rect x="${x - w * 0.68}" y="${base - 4}" width="${w * 1.36}" height="${w * 0.14}" fill="#b9b0a4"/>`;
}

function defs(shutter: Color): string {
  return (
    `<linearGradient id="glass" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#9fb9cc"/><stop offset=".4" stop-color="#3d4f60"/><stop offset=".55" stop-color="#63798a"/><stop offset="1" stop-color="#242e3a"/></linearGradient>` +
    `<linearGradient id="lamp" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#6b5640"/><stop offset="1" stop-color="#e9b968"/></linearGradient>` +
    `<linearGradient id="shutter" x1="0" y1="0" x2="1" y2="0"><stop stop-color="${hex(mix(shutter, [255, 255, 255], 0.12))}"/><stop offset="1" stop-color="${hex(shutter)}"/></linearGradient>` +
    `<linearGradient id="pavement" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#a39b8f"/><stop offset="1" stop-color="#7d766d"/></linearGradient>`
  );
}
