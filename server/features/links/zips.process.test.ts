import { once } from "node:events";
import { cp, readFile, stat } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import sharp from "sharp";
import { expect, test } from "vitest";
import { temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";
import { limits } from "#shared/limits.ts";

const photos = limits.sharedLinks.zipPhotos;
const guests = 50;
const { ofAll } = limits.sharedLinks.zips;

test(
  "a thousand photos asked for by fifty guests at once: few get them, the others are asked to wait, nobody else does",
  { timeout: 240_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    // On the disk, where its files are copied.
    const server = startServer(dataDir, { IMAGE_STORE: undefined });
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const asks = askingAs(address, cookie);
    const bytes = await postThousand(dataDir, address, cookie);
    const { address: link } = await asks<{ address: string }>("POST", "/api/links", {
      kind: "profile",
      downloads: true,
    });
    const opened = await fetch(link, { redirect: "manual" });
    const at = new URL(opened.headers.get("location") ?? "", address).pathname;
    const guest = opened.headers.getSetCookie().join().split(";")[0] ?? "";

    const pid = server.child.pid ?? 0;
    const before = await memoryOf(pid);
    // Each from a network of its own. Nobody reads yet: who was let in stays.
    const asking = Array.from({ length: guests }, (_, nth) =>
      answerTo(`${address}${at}/photos.zip`, { cookie: guest, from: `127.0.1.${nth + 1}` }),
    );
    const answers = await Promise.all(asking);
    const served = answers.filter(({ statusCode }) => statusCode === 200);
    const waiting = answers.filter(({ statusCode }) => statusCode === 503);
    expect([served.length, waiting.length]).toEqual([ofAll, guests - ofAll]);
    for (const answer of waiting) {
      expect(answer.headers["retry-after"]).toBe("60");
      expect(await textOf(answer)).toContain("Please try again in a minute.");
    }

    const reading = { over: false };
    const sizes = Promise.all(served.map(sizeOf)).finally(() => (reading.over = true));
    let [most, seen] = [0, 0];
    while (!reading.over) {
      expect((await fetch(`${address}/health/live`)).status).toBe(200);
      expect((await fetch(`${address}/api/feed`, { headers: { cookie } })).status).toBe(200);
      most = Math.max(most, await memoryOf(pid));
      seen += 1;
    }
    expect(seen).toBeGreaterThan(1);
    for (const size of await sizes) expect(size).toBeGreaterThan(photos * bytes);
    expect(most - before).toBeLessThan(photos * bytes);
    expect(server.complained()).toBe("");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
);

const askingAs =
  (address: string, cookie: string) =>
  async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(address + path, {
      method,
      headers: { cookie, origin: address, "Content-Type": "application/json" },
      body: body ? JSON.stringify(body) : undefined,
    });
    expect(answer.status, path).toBeLessThan(300);
    return (await answer.json()) as Answer;
  };

/**
 * One photo, uploaded and posted; its rows and files are copied until there are a thousand.
 * @returns the bytes of each in a zip
 */
async function postThousand(dataDir: string, address: string, cookie: string): Promise<number> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const photo = sharp({
    create: { width: 700, height: 500, channels: 3, background: "teal", noise },
  });
  const form = new FormData();
  form.set("image", new Blob([await photo.jpeg().toBuffer()], { type: "image/jpeg" }), "photo.jpg");
  const headers = { cookie, origin: address };
  const sent = await fetch(`${address}/api/images`, { method: "POST", body: form, headers });
  const { data } = (await sent.json()) as { data: { id: string } };
  const pictures = [{ imageId: data.id, alt: "" }];
  await askingAs(address, cookie)("POST", "/api/posts", { caption: "", pictures });

  const client = new pg.Client({
    host: join(dataDir, "postgres", "socket"),
    user: "postcard",
    database: "postcard",
  });
  await client.connect();
  try {
    const copies = await client.query<{ key: string; first: string; width: number }>(copied, [
      photos,
    ]);
    const images = join(dataDir, "images");
    const [some] = copies.rows;
    if (!some) throw new Error("a photo was posted");
    const folderOf = (key: string) => join(images, key.slice(0, 2), key);
    for (const { key } of copies.rows) {
      await cp(folderOf(some.first), folderOf(key), { recursive: true });
    }
    return (await stat(join(folderOf(some.first), `${some.width}.webp`))).size;
  } finally {
    await client.end();
  }
}

const copied = `
  with copy as materialized (
    select n, gen_random_uuid() as image_id, gen_random_uuid() as post_id, md5(n::text) as key
    from generate_series(2, $1::int) n
  ),
  image as (
    insert into images
    select (jsonb_populate_record(i, jsonb_build_object('id', copy.image_id, 'key', copy.key))).*
    from post_pictures pp join images i on i.account_id = pp.author_id and i.id = pp.image_id, copy
    returning key, widths[cardinality(widths)] as width
  ),
  post as (
    insert into posts
    select (jsonb_populate_record(p, jsonb_build_object('id', copy.post_id, 'number', copy.n, 'client_key', null))).*
    from posts p, copy
  ),
  picture as (
    insert into post_pictures
    select (jsonb_populate_record(pp, jsonb_build_object('post_id', copy.post_id, 'image_id', copy.image_id))).*
    from post_pictures pp, copy
  )
  select image.key, image.width, (
    select i.key from post_pictures pp join images i on i.account_id = pp.author_id and i.id = pp.image_id
  ) as first from image
`;

type Guest = { cookie: string; from: string };

/** An answer whose body nobody has read yet. */
async function answerTo(url: string, { cookie, from }: Guest): Promise<IncomingMessage> {
  const request = get(url, { headers: { cookie }, localAddress: from, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}

const textOf = async (answer: IncomingMessage) => (await buffer(answer)).toString();

async function sizeOf(answer: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) size += chunk.length;
  return size;
}

/** Bytes of a process that are in memory. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
