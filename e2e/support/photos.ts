import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

/** An image as a file chooser takes it. */
export type Photo = { name: string; mimeType: string; buffer: Buffer };

const samples = fileURLToPath(new URL("../../../shared/photos", import.meta.url));

/** A real photograph beside the repository, if there is one. */
export function samplePhoto(name: string): string | null {
  const path = join(samples, name);
  return existsSync(path) ? path : null;
}

/**
 * Twelve megapixels as a phone writes them: the sensor's 4000 × 3000 on its side (orientation 6), with a
 * location. Upright its upper half is blue, its lower half green, and a red disc is in the upper left.
 */
export async function phonePhoto(): Promise<Photo> {
  const upright = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="4000">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="#1c4fa0"/><stop offset="1" stop-color="#4a86d8"/></linearGradient>
    <linearGradient id="grass" x2="0" y2="1">
      <stop stop-color="#3f9a4c"/><stop offset="1" stop-color="#1d5a2a"/></linearGradient></defs>
    <rect width="3000" height="2000" fill="url(#sky)"/>
    <rect y="2000" width="3000" height="2000" fill="url(#grass)"/>
    ${leaves()}
    <circle cx="750" cy="750" r="420" fill="#d02a2a"/></svg>`;
  // Rotated back by a quarter, so that a reader of the orientation turns it upright.
  const lying = await sharp(Buffer.from(upright), { limitInputPixels: false })
    .rotate(-90)
    .jpeg({ quality: 92 })
    .toBuffer();
  const buffer = await sharp(lying)
    .withExif({
      IFD0: { Make: "Postcard", Model: "Story" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "48/1 51/1 2960/100",
        GPSLongitudeRef: "E",
        GPSLongitude: "2/1 17/1 4020/100",
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer();
  return { name: "phone.jpg", mimeType: "image/jpeg", buffer };
}

/** Detail for an encoder to work on: a few thousand blades, always the same. */
function leaves(): string {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: 2500 }, () => {
    const [x, y, dx, dy] = [next(3000), 2100 + next(1900), next(120) - 60, next(160) + 20];
    const fill = `hsl(${90 + next(50)} ${30 + next(40)}% ${20 + next(40)}%)`;
    return `<path d="M${x} ${y}l${dx} -${dy}l14 ${dy}z" fill="${fill}"/>`;
  }).join("");
}

/** A small image of one colour, for avatars and for stories where the photo doesn't matter. */
export async function plainPhoto(colour = "#7a5ce0", width = 400, height = 400): Promise<Photo> {
  const buffer = await sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
  return { name: "plain.jpg", mimeType: "image/jpeg", buffer };
}
