import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import type { Installation } from "../installation.ts";
import type { Member } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

/** One 12-megapixel photograph to a server that has done nothing yet: CPU time and memory. */
export async function upload(installation: Installation, { cookie }: Member): Promise<Figure> {
  const photo = await somePhoto(4000, 3000);
  const server = await startPostcard(installation);
  try {
    await fetch(server.url, { headers: { cookie } }).then((answer) => answer.arrayBuffer());
    await sleep(500);
    const before = await server.usage();
    const started = performance.now();
    const form = new FormData();
    form.set("image", new File([new Uint8Array(photo)], "photo.jpg", { type: "image/jpeg" }));
    const answer = await fetch(`${server.url}/api/images`, {
      method: "POST",
      headers: { cookie },
      body: form,
    });
    const elapsed = performance.now() - started;
    if (!answer.ok) throw new Error(`The upload failed: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    const after = await server.usage();
    return {
      what: `Upload of one photograph, 12 megapixels, ${mb(photo.length)}: CPU and peak memory`,
      value:
        `${((after.cpu - before.cpu) / 1e6).toFixed(1)} s, ${(elapsed / 1000).toFixed(1)} s in all; ` +
        `${mb(after.peakMemory)} (${mb(before.memory)} before)`,
      goal: "",
      met: null,
    };
  } finally {
    await server.stop();
  }
}

/** A picture with soft shapes and grain, which costs a decoder what a photograph does. */
async function somePhoto(width: number, height: number): Promise<Buffer> {
  const scene = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#3b6ea5"/>` +
      `<stop offset="1" stop-color="#f2d7b6"/></linearGradient></defs>` +
      `<rect width="100%" height="100%" fill="url(#sky)"/>` +
      Array.from({ length: 60 }, (_, index) => {
        const x = (index * 977) % width;
        const y = height / 3 + ((index * 613) % (height / 2));
        const hue = (index * 47) % 360;
        const radius = 60 + ((index * 131) % 400);
        return `<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${hue} 60% 45% / 0.6)"/>`;
      }).join("") +
      `</svg>`,
  );
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "gray",
      noise: { type: "gaussian", mean: 128, sigma: 12 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(scene)
    .composite([{ input: grain, blend: "soft-light" }])
    .removeAlpha()
    .jpeg({ quality: 88 })
    .toBuffer();
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
