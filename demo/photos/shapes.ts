import type { Random } from "../random.ts";
import { type Color, hex, hsl, mix } from "./raster.ts";

/** A ball with light from one side: the body of most fruit. Ids must differ within one drawing. */
export function ball(
  id: string,
  at: { x: number; y: number; r: number; color: Color; fromLeft: boolean; squash?: number },
): string {
  const { x, y, r, color, fromLeft, squash = 1 } = at;
  const light = hex(mix(color, [255, 250, 225], 0.45));
  const dark = hex(mix(color, [30, 14, 34], 0.62));
  return (
    `<radialGradient id="${id}" cx="${fromLeft ? 0.33 : 0.67}" cy=".3" r=".78"><stop stop-color="${light}"/><stop offset=".35" stop-color="${hex(color)}"/><stop offset="1" stop-color="${dark}"/></radialGradient>` +
    `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * squash}" fill="url(#${id})"/>` +
    `<ellipse cx="${x + r * (fromLeft ? -0.34 : 0.34)}" cy="${y - r * 0.42 * squash}" rx="${r * 0.16}" ry="${r * 0.1}" fill="#fff" opacity=".5" transform="rotate(${fromLeft ? -35 : 35} ${x + r * (fromLeft ? -0.34 : 0.34)} ${y - r * 0.42 * squash})"/>`
  );
}

type Range = [low: number, high: number];

/** A colour of one of these hues; saturation and lightness in 0 to 1. */
export function toneOf(
  random: Random,
  hues: readonly number[],
  saturation: Range,
  lightness: Range,
): Color {
  return hsl(random.pick(hues), random.between(...saturation), random.between(...lightness));
}

export type Fruit = "oranges" | "lemons" | "tomatoes" | "apples" | "plums" | "limes" | "peaches";

const fruitColors: Record<Fruit, [hue: number, saturation: number, lightness: number]> = {
  oranges: [29, 0.92, 0.52],
  lemons: [50, 0.88, 0.55],
  tomatoes: [6, 0.78, 0.46],
  apples: [358, 0.62, 0.44],
  plums: [285, 0.36, 0.32],
  limes: [92, 0.5, 0.4],
  peaches: [20, 0.78, 0.64],
};

export const fruits = Object.keys(fruitColors) as Fruit[];

export function fruitColor(fruit: Fruit, random: Random): Color {
  const [hue, saturation, lightness] = fruitColors[fruit];
  return hsl(hue + random.between(-7, 7), saturation, lightness + random.between(-0.05, 0.05));
}

export type Flower = "poppies" | "daisies" | "cornflowers" | "tulips" | "cosmos";

export const flowerKinds: Flower[] = ["poppies", "daisies", "cornflowers", "tulips", "cosmos"];

/** One flower seen from a little above, `r` pixels in radius. */
export function flower(kind: Flower, x: number, y: number, r: number, random: Random): string {
  const turn = random.between(0, 360);
  const tilt = random.between(0.55, 1);
  const petals = (count: number, color: () => Color, rx: number, ry: number, out: number) =>
    Array.from({ length: count }, (_, index) => {
      const angle = turn + (index * 360) / count + random.between(-6, 6);
      return `<ellipse cx="0" cy="${-out * r}" rx="${rx * r}" ry="${ry * r}" fill="${hex(color())}" transform="rotate(${angle})"/>`;
    }).join("");
  const shade = (hue: number, s: number, l: number) => () =>
    hsl(hue + random.between(-5, 5), s, l + random.between(-0.07, 0.07));
  const heart = (color: string, share: number) =>
    `<circle r="${r * share}" fill="${color}"/><circle cx="${r * share * 0.2}" cy="${r * share * 0.25}" r="${r * share * 0.65}" fill="#2a1a08" opacity=".22"/>`;
  const place = (content: string) =>
    `<g transform="translate(${x} ${y}) rotate(${random.between(-20, 20)}) scale(1 ${tilt})">${content}</g>`;
  if (kind === "poppies")
    return place(
      petals(5, shade(6, 0.82, 0.5), 0.62, 0.6, 0.42) +
        heart("#241518", 0.2) +
        petals(12, () => [30, 20, 24], 0.025, 0.07, 0.26),
    );
  if (kind === "daisies")
    return place(petals(15, shade(50, 0.25, 0.93), 0.13, 0.4, 0.58) + heart("#e8b02a", 0.27));
  if (kind === "cornflowers")
    return place(
      petals(11, shade(226, 0.62, 0.52), 0.17, 0.34, 0.58) +
        petals(7, shade(250, 0.5, 0.4), 0.09, 0.24, 0.3) +
        heart("#3c2a66", 0.14),
    );
  if (kind === "cosmos")
    return place(
      petals(8, shade(random.pick([322, 334, 345]), 0.55, 0.72), 0.27, 0.46, 0.52) +
        heart("#d99a2b", 0.17),
    );
  const hue = random.pick([350, 8, 44, 320, 28]);
  const cup = (dx: number, l: number) =>
    `<path d="M${dx * r} ${r * 0.8}Q${(dx - 0.62) * r} ${r * 0.3} ${(dx - 0.3) * r} ${-r * 0.8}Q${(dx + 0.34) * r} ${-r * 0.2} ${dx * r} ${r * 0.8}Z" fill="${hex(hsl(hue + random.between(-4, 4), 0.68, l))}"/>`;
  const mirrored = `<g transform="scale(-1 1)">${cup(-0.02, 0.5)}</g>`;
  return `<g transform="translate(${x} ${y}) rotate(${random.between(-9, 9)})">${cup(0.25, 0.46)}<g transform="scale(-1 1)">${cup(0.25, 0.44)}</g>${cup(0, 0.58)}${mirrored}<ellipse cy="${r * 0.1}" rx="${r * 0.34}" ry="${r * 0.72}" fill="${hex(hsl(hue, 0.72, 0.6))}" opacity=".85"/></g>`;
}

export const blurred = (id: string, deviation: number) =>
  `<filter id="${id}" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
