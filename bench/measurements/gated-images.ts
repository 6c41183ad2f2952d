import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { sql } from "#server/platform/db/sql.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Audience } from "#shared/posts.ts";
import { compareCpu, type Contender } from "../cpu.ts";
import type { Installation } from "../installation.ts";
import { sessionsFor, type Member, type Product } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

const us = (cpu: number) => `${Math.round(cpu)} µs`;

/**
 * One file of a photo in a post for followers, as a follower's browser asks for it, against the same file of a
 * photo in a post for everyone, asked for by the same browser.
 */
export async function gatedImages(
  { databaseCpu }: Installation,
  product: Product,
  postcard: MeasuredServer,
): Promise<Figure> {
  const [author, follower] = await authorAndFollower(product);
  const ask = async (audience: Audience): Promise<Contender> => ({
    server: postcard,
    path: await postPhoto(product, author, audience),
    headers: { cookie: follower.cookie },
  });
  const [gated, plain] = [await ask("followers"), await ask("everyone")];
  const effort = { count: 1000, rate: 200, rounds: 7, databaseCpu };
  const [measured, control] = await compareCpu(gated, plain, effort);
  const ratio = measured.cpu / control.cpu;
  const both = measured.withDatabase / control.withDatabase;
  return {
    what: "A photo for followers against the same one for everyone: CPU of a request",
    value:
      `server alone ${ratio.toFixed(2)} × (${us(measured.cpu)} against ${us(control.cpu)}), ` +
      `with the database ${both.toFixed(2)} × (${us(measured.withDatabase)} against ${us(control.withDatabase)})`,
    goal: "≤ 1.3 ×",
    met: (Number.isNaN(both) ? ratio : both) <= 1.3,
  };
}

async function authorAndFollower(product: Product): Promise<[Member, Member]> {
  const [pair] = await product.db.query<{ author: string; follower: string }>(sql`
    select followee_id as author, follower_id as follower from followers limit 1
  `);
  if (!pair) throw new Error("Nobody follows anybody.");
  const [author] = await sessionsFor(product, [pair.author]);
  const [follower] = await sessionsFor(product, [pair.follower]);
  if (!author || !follower) throw new Error("An account has no session.");
  return [author, follower];
}

/** Posts a photo; returns the address of its smallest file. */
async function postPhoto(
  { features, config }: Product,
  { viewer }: Member,
  audience: Audience,
): Promise<string> {
  const folder = join(config.dataDir, "tmp");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.jpg`);
  await sharp({ create: { width: 480, height: 320, channels: 3, background: "teal" } })
    .jpeg()
    .toFile(path);
  const { size } = await stat(path);
  const sent = { path, bytes: size, filename: "photo.jpg", mediaType: "image/jpeg" };
  const { imageId, picture } = await features.images.upload(viewer, sent);
  await features.posts.publish(viewer, {
    caption: "",
    pictures: [{ imageId, alt: "" }],
    timeZone: "UTC",
    clientKey: null,
    audience,
  });
  return imageUrl(picture.key, picture.widths[0] ?? picture.width);
}
