import { createHash } from "node:crypto";
import pLimit from "p-limit";
import sharp from "sharp";
import glyphOutlines from "#server/mastodon/glyphs.json" with { type: "json" };
import { coverageOf, outlineOf, type Outline } from "#server/mastodon/outlines.ts";
import { refuse } from "#shared/errors.ts";
import { graphemes } from "#shared/graphemes.ts";
import { initialsOf, initialsColours, initialsColourIndex } from "#shared/initials.ts";

/**
 * Outlines of glyphs, so that initials are drawn the same on a machine without fonts: advance and path of
 * each, 1000 units to the em, the baseline at 0. Taken from Inter 4.1 Semi Bold (rsms.me/inter, SIL Open Font
 * License 1.1, Copyright 2016 The Inter Project Authors), the font of our screens.
 */
const glyphs: Readonly<Record<string, { advance: number; path: string }>> = glyphOutlines;
const emptyGlyph = { advance: 0, path: "" };

/** pixels of one side: the size of Mastodon's avatars */
const side = 400;
/** of the em, in pixels: two of the widest glyphs fit into a circle */
const fontSize = 150;
/** height of this font's capitals, of 1000 units */
const capHeight = 728;

/** daisyUI's theme light, which ours begins with, in sRGB: the background and the text on it. */
const colours: Record<(typeof initialsColours)[number], [ground: string, ink: string]> = {
  primary: ["#422ad5", "#e0e7ff"],
  accent: ["#00d3bb", "#084d49"],
  neutral: ["#09090b", "#e4e4e7"],
  info: ["#00bafe", "#042e49"],
  success: ["#00d390", "#004c39"],
  warning: ["#fcb700", "#793205"],
};

/** Capitals of Greek and Cyrillic that look like Latin ones. */
const lookalikes = new Map(
  [..."ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJУY".matchAll(/(.)(.)/gu)].map(
    ([, one = "", same = ""]) => [one, same],
  ),
);

/**
 * The glyph that is drawn for a character: its own, or without its accents; undefined where we have no
 * outline.
 */
function drawable(character: string): string | undefined {
  const [base = ""] = character.normalize("NFKD");
  const tries = [character.normalize("NFC"), base, lookalikes.get(base) ?? ""];
  return tries.find((candidate) => Object.hasOwn(glyphs, candidate));
}

/** What an account's image shows: its initials as far as we have outlines; empty: a silhouette. */
export function drawnInitials(name: string): string {
  const all = Array.from(graphemes(initialsOf(name)), ({ segment }) => drawable(segment) ?? "");
  return all.join("").slice(0, 2);
}

/**
 * For scripts of thousands of characters, emoji, and scripts that join their characters: a head and its
 * shoulders.
 */
const silhouette: Outline = [arc([200, 160], 70, 2 * Math.PI), arc([200, 400], 140, Math.PI)];

/** This much of a circle, from its left over its top. */
function arc([x, y]: [number, number], radius: number, angle: number): [number, number][] {
  return Array.from({ length: 65 }, (_, at) => {
    const turned = Math.PI + (angle * at) / 64;
    return [x + radius * Math.cos(turned), y + radius * Math.sin(turned)];
  });
}

function shapesOf(text: string): Outline {
  if (text === "") return silhouette;
  const scale = fontSize / 1000;
  const shapes = Array.from(text, (character) => glyphs[character] ?? emptyGlyph);
  const width = shapes.reduce((sum, { advance }) => sum + advance, 0) * scale;
  const y = (side + capHeight * scale) / 2;
  let x = (side - width) / 2;
  return shapes.flatMap(({ advance, path }) => {
    const outline = outlineOf(path, [x, y], scale);
    x += advance * scale;
    return outline;
  });
}

/** The address of an account's initials. It changes with the name, so that caches may store it. */
export function initialsPath(decimalId: string, name: string): string {
  const version = createHash("sha256").update(name).digest("base64url").slice(0, 10);
  return `/initials/${decimalId}/${version}.png`;
}

/** images in the cache, about 2 kB each, and drawings that wait for their turn */
const most = { cached: 500, waiting: 100 };

/**
 * Draws initials: as outlines instead of text, so that no font is needed, and not as SVG, which the image
 * decoder never reads. One at a time, and each of the few images once as long as it is cached. Refuses with
 * busy.
 */
export function createInitials() {
  const cached = new Map<string, Promise<Buffer>>();
  const inTurn = pLimit(1);

  return function initials(name: string): Promise<Buffer> {
    const text = drawnInitials(name);
    const tone = initialsColours[initialsColourIndex(name)] ?? "primary";
    const key = `${tone} ${text}`;
    const known = cached.get(key);
    if (known) return known;
    if (inTurn.pendingCount >= most.waiting) throw refuse("busy");
    const [oldest] = cached.keys();
    if (cached.size >= most.cached && oldest !== undefined) cached.delete(oldest);
    const drawing = inTurn(() => draw(text, colours[tone]));
    cached.set(key, drawing);
    drawing.catch(() => cached.delete(key));
    return drawing;
  };
}

function draw(text: string, [ground, ink]: [string, string]): Promise<Buffer> {
  const covered = coverageOf(shapesOf(text), side);
  const [under, over] = [Buffer.from(ground.slice(1), "hex"), Buffer.from(ink.slice(1), "hex")];
  const pixels = Buffer.alloc(side * side * 3);
  covered.forEach((share, at) => {
    for (let part = 0; part < 3; part += 1) {
      const [from = 0, to = 0] = [under[part], over[part]];
      pixels[at * 3 + part] = Math.round(from + (to - from) * Math.min(1, share));
    }
  });
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(pixels, { raw }).png({ palette: true, compressionLevel: 9 }).toBuffer();
}
