import type { Random } from "../random.ts";
import { develop, drawn, hex, hsl, mix, rgb, type Size } from "./raster.ts";
import { blurred, type Fruit, fruitColor, fruits } from "./shapes.ts";
import { dapple, relight, roughen, sidelight } from "./surface.ts";

export type TilesSubject = { color: keyof typeof glazes };

const glazes = {
  blue: ["#f1efe6", "#1f4e96", "#6d9bd0", "#e2b33c"],
  green: ["#f2efe2", "#21604c", "#7fb08a", "#d98b3a"],
  terracotta: ["#f3e7d3", "#a8472c", "#d98c5a", "#2d5468"],
  yellow: ["#fbf1d6", "#d99a22", "#7a9aa8", "#27466b"],
};
export const tileColors = Object.keys(glazes) as (keyof typeof glazes)[];

/** A wall of painted tiles, four of them to a figure. */
export async function tiles({ color }: TilesSubject, size: Size, random: Random): Promise<Buffer> {
  const { width, height } = size;
  const [ground, first, second, third] = glazes[color] as [string, string, string, string];
  const side = Math.min(width, height) / random.integer(4, 7);
  const s = 100;
  const motif: string[] = [];
  const arcs = random.shuffled([first, second, third]);
  const radii = random
    .shuffled([96, 78, 60, 42, 26])
    .slice(0, random.integer(2, 4))
    .sort((a, b) => b - a);
  for (const [i, r] of radii.entries())
    motif.push(
      `<circle cx="0" cy="0" r="${r}" fill="${i % 2 === 0 ? (arcs[i % 3] as string) : ground}"/>`,
    );
  const petals = random.integer(1, 3);
  for (let i = 0; i < petals; i += 1) {
    const angle = 45 + (i - (petals - 1) / 2) * 28;
    motif.push(
      `<g transform="rotate(${angle})"><path d="M0 0Q${random.between(28, 45)} ${-random.between(12, 22)} ${random.between(62, 108)} 0Q${random.between(28, 45)} ${random.between(12, 22)} 0 0Z" fill="${arcs[(i + 1) % 3]}" stroke="${ground}" stroke-width="3"/></g>`,
    );
  }
  const corner = random.between(18, 44);
  motif.push(
    random.chance(0.5)
      ? `<circle cx="${s}" cy="${s}" r="${corner}" fill="${first}"/><circle cx="${s}" cy="${s}" r="${corner * 0.6}" fill="${third}"/>`
      : `<path d="M${s} ${s}V${s - corner * 1.5}L${s - corner * 1.5} ${s}Z" fill="${second}"/><path d="M${s} ${s}V${s - corner}L${s - corner} ${s}Z" fill="${first}"/>`,
  );
  if (random.chance(0.6))
    motif.push(
      `<path d="M${s} 0Q${s * 0.6} ${s * 0.6} 0 ${s}" fill="none" stroke="${third}" stroke-width="${random.between(4, 9)}"/>`,
    );
  const parts = [
    `<clipPath id="c"><rect width="100" height="100"/></clipPath><g id="q" clip-path="url(#c)"><rect width="100" height="100" fill="${ground}"/>${motif.join("")}</g>`,
  ];
  const overscan = random.between(0, side);
  for (let row = 0; row * side < height + side * 2; row += 1) {
    for (let column = 0; column * side < width + side * 2; column += 1) {
      const x = column * side - overscan;
      const y = row * side - overscan;
      // Mirrored every other tile, so that four quarters meet in a figure.
      const flip = `scale(${column % 2 === 0 ? -1 : 1} ${row % 2 === 0 ? -1 : 1}) translate(${column % 2 === 0 ? -100 : 0} ${row % 2 === 0 ? -100 : 0})`;
      const shade = random.between(0, 0.11);
      parts.push(
        `<use href="#q" transform="translate(${x} ${y}) scale(${side / 100}) ${flip}"/><rect x="${x}" y="${y}" width="${side}" height="${side}" fill="#2a1c10" opacity="${shade}"/>` +
          `<rect x="${x + 1.5}" y="${y + 1.5}" width="${side - 3}" height="${side - 3}" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2"/><rect x="${x}" y="${y}" width="${side}" height="${side}" fill="none" stroke="#77695a" stroke-width="3"/>`,
      );
    }
  }
  const image = await drawn(width, height, parts.join(""));
  roughen(image, random, { scale: 9, amount: 0.12 });
  roughen(image, random, { scale: 110, amount: 0.07 });
  if (random.chance(0.55)) dapple(image, random, 0.36);
  else sidelight(image, random.chance(0.5), 0.5);
  return develop(image, {
    ...size,
    random,
    grain: 4.5,
    vignette: 0.25,
    bloom: 0.15,
    warmth: random.between(0, 0.7),
  });
}

export type MarketSubject = { fruit: Fruit };

/** A stall from above: heaps of fruit in crates. */
export async function market(
  { fruit }: MarketSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const { width, height } = size;
  const columns = width > height ? random.integer(2, 3) : random.integer(1, 2);
  const rows = height > width ? random.integer(2, 3) : random.integer(1, 2);
  const kinds = [fruit, ...random.shuffled(fruits.filter((other) => other !== fruit))];
  const parts = [`<rect width="${width}" height="${height}" fill="#3a2a20"/>${blurred("sh", 7)}`];
  const gap = Math.min(width, height) * 0.03;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = (width * column) / columns + gap * 0.5;
      const y = (height * row) / rows + gap * 0.5;
      const w = width / columns - gap;
      const h = height / rows - gap;
      const kind = kinds[(row * columns + column) % kinds.length] as Fruit;
      const id = `k${row}${column}`;
      parts.push(
        `<clipPath id="${id}"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath><rect x="${x}" y="${y}" width="${w}" height="${h}" fill="#1d130d"/><g clip-path="url(#${id})">${heap(id, kind, x, y, w, h)}</g>`,
      );
      parts.push(
        `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${hex(mix(rgb("#b48a5c"), [70, 44, 26], random.between(0, 0.5)))}" stroke-width="${gap * 0.9}"/><rect x="${x + gap * 0.5}" y="${y + gap * 0.5}" width="${w - gap}" height="${h - gap}" fill="none" stroke="#120a06" stroke-opacity=".5" stroke-width="5" filter="url(#sh)"/>`,
      );
    }
  }
  const image = await drawn(width, height, parts.join(""));
  roughen(image, random, { scale: 120, amount: 0.1 });
  if (random.chance(0.5)) dapple(image, random, 0.3);
  const slope = random.between(-0.25, 0.25);
  relight(image, (x, y) => 1.06 - (x - 0.5) * slope - (y - 0.5) * 0.16);
  return develop(image, {
    ...size,
    random,
    grain: 4.5,
    vignette: 0.3,
    bloom: 0.18,
    warmth: random.between(0.1, 0.6),
  });

  function heap(id: string, kind: Fruit, x: number, y: number, w: number, h: number): string {
    const small = kind === "plums" || kind === "limes" ? 0.8 : 1;
    const r = Math.min(width, height) * random.between(0.062, 0.08) * small;
    const tones = Array.from({ length: 5 }, (_, tone) => {
      const color = fruitColor(kind, random);
      return `<radialGradient id="${id}${tone}" cx=".36" cy=".3" r=".8"><stop stop-color="${hex(mix(color, [255, 250, 225], 0.5))}"/><stop offset=".32" stop-color="${hex(color)}"/><stop offset=".8" stop-color="${hex(mix(color, [40, 14, 20], 0.42))}"/><stop offset="1" stop-color="${hex(mix(color, [20, 8, 14], 0.72))}"/></radialGradient>`;
    });
    const parts = [tones.join("")];
    for (let layer = 0; layer < 2; layer += 1) {
      for (let cy = y - r * 0.3 + layer * r; cy < y + h + r; cy += r * 1.62) {
        const odd = Math.round((cy - y) / (r * 1.62)) % 2;
        for (let cx = x + (odd + layer * 0.5) * r * 0.95; cx < x + w + r; cx += r * 1.86) {
          if (layer === 1 && random.chance(0.3)) continue;
          const px = cx + random.normal() * r * 0.09;
          const py = cy + random.normal() * r * 0.09;
          const long = kind === "lemons" ? random.between(0.74, 0.86) : random.between(0.93, 1);
          const turn = random.between(0, 180);
          const tone = random.integer(0, 4);
          parts.push(
            `<ellipse cx="${px + r * 0.12}" cy="${py + r * 0.2}" rx="${r * 1.05}" ry="${r}" fill="#0c0408" opacity=".38"/><ellipse cx="${px}" cy="${py}" rx="${r}" ry="${r * long}" fill="url(#${id}${tone})"${long < 0.9 ? ` transform="rotate(${turn % 50} ${px} ${py})"` : ""}/>`,
          );
          parts.push(top(kind, px, py, r));
        }
      }
    }
    return parts.join("");
  }

  function top(kind: Fruit, x: number, y: number, r: number): string {
    const dx = random.normal() * r * 0.18;
    const dy = random.normal() * r * 0.18;
    if (kind === "tomatoes")
      return `<g transform="translate(${x + dx} ${y + dy}) rotate(${random.between(0, 72)})" fill="#4d7a36">${[0, 72, 144, 216, 288].map((turn) => `<path d="M0 0Q${r * 0.1} ${-r * 0.2} 0 ${-r * 0.42}Q${-r * 0.1} ${-r * 0.2} 0 0Z" transform="rotate(${turn})"/>`).join("")}</g>`;
    if (kind === "apples" || kind === "plums" || kind === "peaches")
      return `<circle cx="${x + dx}" cy="${y + dy}" r="${r * 0.11}" fill="#1d0e0a" opacity=".55"/><path d="M${x + dx} ${y + dy}q${r * 0.06} ${-r * 0.14} ${r * 0.2} ${-r * 0.2}" stroke="#4a3520" stroke-width="${r * 0.07}" fill="none"/>`;
    return `<circle cx="${x + dx}" cy="${y + dy}" r="${r * 0.06}" fill="${hex(hsl(75, 0.4, 0.3))}" opacity=".7"/>`;
  }
}
