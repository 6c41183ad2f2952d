import { sql } from "#server/platform/db/sql.ts";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import type { Installation } from "../installation.ts";
import { sessionsFor, type Member, type Product } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { megabytes, type Figure } from "../table.ts";

/** One 12-megapixel photograph sent to a fresh server: CPU time and memory. */
export async function upload(installation: Installation, { cookie }: Member): Promise<Figure> {
  const photo = await somePhoto(4000, 3000);
  const server = await startPostcard(installation);
  try {
    await fetch(server.url, { headers: { cookie } }).then((answer) => answer.arrayBuffer());
    await sleep(500);
    const before = await server.usage();
    const started = performance.now();
    await send(server.url, cookie, photo);
    const elapsed = performance.now() - started;
    const after = await server.usage();
    return {
      what: `Upload of one photograph, 12 megapixels, ${(photo.length / 1e6).toFixed(1)} MB: CPU and peak memory`,
      value:
        `${((after.cpu - before.cpu) / 1e6).toFixed(1)} s, ${(elapsed / 1000).toFixed(1)} s in all; ` +
        `${megabytes(after.peakMemory)} (${megabytes(before.memory)} before)`,
      goal: "",
      met: null,
    };
  } finally {
    await server.stop();
  }
}

/** How much twenty simultaneous photographs may take, bytes of resident memory. */
const mostMemory = 400_000_000;

/** Twenty members send a 12-megapixel photograph at the same moment: peak memory of the server. */
export async function uploadsAtOnce(installation: Installation, product: Product): Promise<Figure> {
  const photo = await somePhoto(4000, 3000);
  const accounts = await product.db.query<{ id: string }>(sql`select id from accounts limit 20`);
  const members = await sessionsFor(
    product,
    accounts.map(({ id }) => id),
  );
  const server = await startPostcard(installation);
  try {
    const before = await server.usage();
    const started = performance.now();
    await Promise.all(members.map(({ cookie }) => send(server.url, cookie, photo)));
    const elapsed = performance.now() - started;
    const { cpu, peakMemory } = await server.usage();
    return {
      what: `${members.length} such uploads at once, by ${members.length} members: peak memory`,
      value:
        `${megabytes(peakMemory)}; ${((cpu - before.cpu) / 1e6).toFixed(1)} s of CPU, ` +
        `${(elapsed / 1000).toFixed(1)} s in all`,
      goal: `≤ ${megabytes(mostMemory)}`,
      met: peakMemory <= mostMemory,
    };
  } finally {
    await server.stop();
  }
}

/** How long the background may take to get to a photograph, milliseconds. */
const mostWaiting = 120_000;

/**
 * What a photograph of 12 megapixels costs after its upload: its AVIF, made in the background, and the copy
 * with all of its pixels for the first viewer who zooms in. Each on a server that did nothing else.
 */
export async function laterWork(
  installation: Installation,
  { db }: Product,
  { cookie }: Member,
): Promise<Figure[]> {
  // With little grain, as on a bright day: photos worth an AVIF cost the most.
  const photo = await somePhoto(4000, 3000, 2);
  // Work queued for older posts is not counted with this one.
  await db.query(sql`update images set avif_widths = '{}'`);
  const sent = await startPostcard(installation);
  const id = await send(sent.url, cookie, photo).finally(sent.stop);
  const image = async () => {
    const [row] = await db.query<{ key: string; avif_widths: number[] | null }>(sql`
      select key, avif_widths from images where id = ${id}
    `);
    if (!row) throw new Error("The picture is gone.");
    return row;
  };

  const inBackground = await measured(installation, async (url) => {
    await post(url, cookie, id);
    const until = Date.now() + mostWaiting;
    while ((await image()).avif_widths === null) {
      if (Date.now() > until) throw new Error("The AVIF of a photograph was not made in time.");
      await sleep(200);
    }
  });
  const { key, avif_widths: widths } = await image();
  const closely = await measured(installation, async (url) => {
    const answer = await fetch(`${url}/images/${key}/large.webp`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`The large picture did not come: ${answer.status}`);
    await answer.arrayBuffer();
  });
  const stored = widths?.length
    ? `kept in ${widths.length} widths`
    : "not worth keeping of this one";
  return [
    {
      what: `AVIF of a clear photograph, 12 megapixels, in the background (${stored}): CPU and peak memory`,
      value: inBackground,
      goal: "",
      met: null,
    },
    {
      what: "All pixels of a photograph, 12 megapixels, for the first who zooms in: CPU and peak memory",
      value: closely,
      goal: "",
      met: null,
    },
  ];
}

/** CPU time and peak memory of a fresh server while it does something. */
async function measured(
  installation: Installation,
  work: (url: string) => Promise<void>,
): Promise<string> {
  const server = await startPostcard(installation);
  try {
    await sleep(500);
    const before = await server.usage();
    await work(server.url);
    const { cpu, peakMemory } = await server.usage();
    return (
      `${((cpu - before.cpu) / 1e6).toFixed(1)} s; ` +
      `${megabytes(peakMemory)} (${megabytes(before.memory)} before)`
    );
  } finally {
    await server.stop();
  }
}

async function post(url: string, cookie: string, imageId: string): Promise<void> {
  const answer = await fetch(`${url}/api/posts`, {
    method: "POST",
    headers: { cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ pictures: [{ imageId, alt: "" }] }),
  });
  if (!answer.ok) throw new Error(`The post failed: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** The id of the image. */
async function send(url: string, cookie: string, photo: Buffer): Promise<string> {
  const form = new FormData();
  form.set("image", new File([new Uint8Array(photo)], "photo.jpg", { type: "image/jpeg" }));
  const request = { method: "POST", headers: { cookie }, body: form };
  const answer = await fetch(`${url}/api/images`, request);
  if (!answer.ok) throw new Error(`The upload failed: ${answer.status} ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}

/** An image of soft shapes and grain, which costs a decoder what a photograph does. */
async function somePhoto(width: number, height: number, sigma = 12): Promise<Buffer> {
  const small = { width: 400, height: 300, channels: 3 } as const;
  const pixels = Buffer.alloc(small.width * small.height * 3);
  for (let index = 0; index < pixels.length; index += 1) {
    const [x, y] = [Math.floor(index / 3) % small.width, Math.floor(index / 3 / small.width)];
    const wave = Math.sin(x / (9 + (index % 3) * 4)) * Math.cos(y / 13 + x / 40);
    pixels[index] = 128 + 90 * wave;
  }
  const noise = { type: "gaussian", mean: 128, sigma } as const;
  const raw = { width, height, channels: 3 } as const;
  const grain = await sharp({ create: { ...raw, background: "gray", noise } })
    .raw()
    .toBuffer();
  return sharp(pixels, { raw: small })
    .resize(width, height)
    .composite([{ input: grain, raw, blend: "soft-light" }])
    .removeAlpha()
    .jpeg({ quality: 88 })
    .toBuffer();
}
