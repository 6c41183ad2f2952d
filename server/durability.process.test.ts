import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { temporaryFolder, type Running } from "#server/test/processes.ts";
import {
  addressOf,
  postmasterOf,
  signUp,
  smallImage,
  startServer,
} from "#server/test/running-server.ts";

const killCount = 12;
const writerCount = 3;

type Post = { caption: string; picture: string | null };

/** The server as clients see it: it stops and comes back at another address. */
type Scene = {
  dataDir: string;
  server: Running;
  address: string;
  cookie: string;
  writing: boolean;
  sent: Set<string>;
  acknowledged: Post[];
};

test(
  "everything acknowledged is there after the server and PostgreSQL were killed repeatedly",
  { timeout: 180_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir);
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const sent = new Set<string>();
    const scene: Scene = {
      dataDir,
      server,
      address,
      cookie,
      writing: true,
      sent,
      acknowledged: [],
    };
    const writers = Array.from({ length: writerCount }, (_, writer) => write(scene, writer));

    for (let kill = 0; kill < killCount; kill++) {
      await moreIsPublished(scene);
      await sleep(Math.random() * 100);
      await (kill % 2 === 0 ? killServer(scene) : killPostgres(scene));
    }
    // At the end both at once.
    await killPostgres(scene);
    await killServer(scene);
    await moreIsPublished(scene);
    scene.writing = false;
    await Promise.all(writers);

    const stored = await captionsIn(dataDir);
    const missing = scene.acknowledged.filter(({ caption }) => !stored.includes(caption));
    expect(missing).toEqual([]);
    expect(new Set(stored).size, "no post twice").toBe(stored.length);
    expect(stored.filter((caption) => !sent.has(caption))).toEqual([]);
    expect(await unreachableImages(scene)).toEqual([]);
    scene.server.child.kill("SIGTERM");
    expect(await scene.server.ended).toBe(0);
  },
);

/** Writes posts, every fourth with a photo, one after the other. */
async function write(scene: Scene, writer: number): Promise<void> {
  for (let number = 1; scene.writing; number++) {
    const caption = `post ${number} of writer ${writer}`;
    const withPicture = number % 4 === 0;
    const picture = withPicture ? await insist(scene, () => upload(scene)) : null;
    if (withPicture && picture === null) return;
    scene.sent.add(caption);
    const post = await insist(scene, () => publish(scene, caption, picture));
    if (post) scene.acknowledged.push(post);
  }
}

/** Repeats what was not acknowledged, with the same key, as the screens do. */
async function insist<T>(scene: Scene, work: () => Promise<T>): Promise<T | null> {
  while (scene.writing) {
    try {
      return await work();
    } catch {
      await sleep(50);
    }
  }
  return null;
}

/** Waits until posts are acknowledged again. */
async function moreIsPublished({ acknowledged, server }: Scene): Promise<void> {
  const enough = acknowledged.length + writerCount;
  const deadline = Date.now() + 30_000;
  while (acknowledged.length < enough) {
    if (server.child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The server does not publish any more; it said:\n${server.said()}`);
    }
    await sleep(20);
  }
}

type Picture = { id: string; url: string };

/** Rejects if the server did not acknowledge the post. */
async function publish(
  { address, cookie }: Scene,
  caption: string,
  picture: Picture | null,
): Promise<Post> {
  const pictures = picture ? [{ imageId: picture.id, alt: "" }] : [];
  const answer = await fetch(`${address}/api/posts`, {
    method: "POST",
    headers: { cookie, "Content-Type": "application/json", "Idempotency-Key": caption },
    body: JSON.stringify({ caption, pictures }),
  });
  const { number } = (await answer.json()) as { number?: number };
  if (answer.status !== 201 || !number) throw new Error(`publishing answered ${answer.status}`);
  return { caption, picture: picture?.url ?? null };
}

async function upload({ address, cookie }: Scene): Promise<Picture> {
  const form = new FormData();
  form.set("image", await smallImage(), "picture.png");
  const answer = await fetch(`${address}/api/images`, {
    method: "POST",
    headers: { cookie },
    body: form,
  });
  if (answer.status !== 201) throw new Error(`uploading answered ${answer.status}`);
  return ((await answer.json()) as { data: Picture }).data;
}

async function unreachableImages({ acknowledged, address, cookie }: Scene): Promise<string[]> {
  const pictures = acknowledged.map(({ picture }) => picture).filter((url) => url !== null);
  expect(pictures.length).toBeGreaterThan(0);
  const missing: string[] = [];
  for (const picture of pictures) {
    const { pathname } = new URL(picture);
    const answer = await fetch(address + pathname, { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) missing.push(pathname);
  }
  return missing;
}

async function killServer(scene: Scene): Promise<void> {
  expect(scene.server.child.exitCode, "the server lives until it is killed").toBeNull();
  scene.server.child.kill("SIGKILL");
  await scene.server.ended;
  scene.server = startServer(scene.dataDir);
  scene.address = await addressOf(scene.server);
}

async function killPostgres({ dataDir }: Scene): Promise<void> {
  let pid = postmasterOf(dataDir);
  while (pid === null) {
    await sleep(50);
    pid = postmasterOf(dataDir);
  }
  process.kill(pid, "SIGKILL");
}

async function captionsIn(dataDir: string): Promise<string[]> {
  const host = join(dataDir, "postgres", "socket");
  const client = new pg.Client({ host, user: "postcard", database: "postcard" });
  await client.connect();
  try {
    const { rows } = await client.query<{ caption: string }>("SELECT caption FROM posts");
    const counted = await client.query("SELECT posts AS n FROM account_counters");
    expect(counted.rows).toEqual([{ n: rows.length }]);
    return rows.map(({ caption }) => caption);
  } finally {
    await client.end();
  }
}
