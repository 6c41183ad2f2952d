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

const width = 96;

const us = (cpu: number) => `${Math.round(cpu)} µs`;

/**
 * One file of a photo in a post for followers, as a follower's browser asks for it, against the same file of a
 * photo in a post for everyone, asked for by the same browser.
 */
export async function gatedImages(
  { databaseCpu }: Installation,
  product: Product,
  author: Member,
  postcard: MeasuredServer,
): Promise<Figure> {
  const follower = await followerOf(product, author);
  const ask = async (audience: Audience): Promise<Contender> => ({
    server: postcard,
    path: imageUrl(await postPhoto(product, author, audience), width),
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

async function followerOf(product: Product, { viewer }: Member): Promise<Member> {
  const [first] = await product.db.query<{ id: string }>(sql`
    select follower_id as id from followers where followee_id = ${viewer.id} limit 1
  `);
  if (!first) throw new Error("Nobody follows the author.");
  const [member] = await sessionsFor(product, [first.id]);
  if (!member) throw new Error("The follower has no session.");
  return member;
}

/** Posts a photo; returns its key. */
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
  return picture.key;
}
