import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, smallImage, startServer } from "#server/test/running-server.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { until } from "#server/test/until.ts";

let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.stop());

const photos = 4;

test(
  "photos of a narrowed post have new files, though the server is killed again and again while it copies",
  { timeout: 240_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const settings = s3.environment("town");
    let server = startServer(dataDir, settings);
    let address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const post = await postSet(address, cookie);
    const edit = { version: post.version, audience: "only-me" };
    const edited = await asked(address, cookie, "PATCH", post.path, edit);
    expect(edited.status).toBe(200);

    const statuses = (by: string | null, keys: readonly string[]) =>
      Promise.all(keys.map(async (key) => statusOf(address, by, `/images/${key}/48.webp`)));
    // among the files of the first photo, in the middle of the set, and where old files are removed
    for (const strike of [
      { verb: "PUT", nth: 2 },
      { verb: "PUT", nth: 5 },
      { verb: "POST", nth: 1 },
    ]) {
      await dueNow(dataDir);
      await killedAt(server, strike);
      server = startServer(dataDir, settings);
      address = await addressOf(server);
      const between = await keysOf(address, cookie, post.path);
      expect(await statuses(cookie, between)).toEqual(between.map(() => 200));
      const all = [...new Set([...post.keys, ...between])];
      expect(await statuses(null, all)).toEqual(all.map(() => 404));
    }
    await dueNow(dataDir);
    await until(async () => (await unfinished(dataDir)) === 0);
    const keys = await keysOf(address, cookie, post.path);
    expect(keys.filter((key) => post.keys.includes(key))).toEqual([]);
    expect(await statuses(cookie, keys)).toEqual(keys.map(() => 200));
    expect(await statuses(cookie, post.keys)).toEqual(post.keys.map(() => 404));
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);

    const checked = startProgram(
      [process.execPath, join(projectRoot, "server/admin.ts"), "check-pictures"],
      { env: { ...settings, DATA_DIR: dataDir, PORT: "0" } },
    );
    expect(await checked.ended).toBe(0);
    expect(checked.said()).toBe(`${photos + 1} pictures checked, no faults found.\n`);
  },
);

async function asked(address: string, cookie: string, method: string, path: string, body?: object) {
  return fetch(address + path, {
    method,
    headers: { cookie, origin: address, "Content-Type": "application/json" },
    body: body ? JSON.stringify(body) : undefined,
  });
}

async function statusOf(address: string, cookie: string | null, path: string): Promise<number> {
  const answer = await fetch(address + path, { headers: cookie ? { cookie } : {} });
  await answer.arrayBuffer();
  return answer.status;
}

async function keysOf(address: string, cookie: string, path: string): Promise<string[]> {
  const { pictures } = (await (await asked(address, cookie, "GET", path)).json()) as {
    pictures: { key: string }[];
  };
  return pictures.map(({ key }) => key);
}

/** A set of photos for everyone. */
async function postSet(address: string, cookie: string) {
  const pictures: { imageId: string; alt: string }[] = [];
  for (let n = 0; n < photos; n += 1) {
    const form = new FormData();
    form.set("image", await smallImage(), "picture.png");
    const headers = { cookie, origin: address };
    const answer = await fetch(`${address}/api/images`, { method: "POST", body: form, headers });
    const { data } = (await answer.json()) as { data: { id: string } };
    pictures.push({ imageId: data.id, alt: "" });
  }
  const made = await asked(address, cookie, "POST", "/api/posts", { caption: "", pictures });
  const { number } = (await made.json()) as { number: number };
  const { user } = (await (await asked(address, cookie, "GET", "/api/session")).json()) as {
    user: { username: string };
  };
  const path = `/api/posts/${user.username}/${number}`;
  const shown = (await (await asked(address, cookie, "GET", path)).json()) as {
    version: number;
    pictures: { key: string }[];
  };
  return { path, version: shown.version, keys: shown.pictures.map(({ key }) => key) };
}

/** Kills the server where the bucket is asked for this the n-th time from now on. */
async function killedAt(
  { child, ended }: ReturnType<typeof startServer>,
  { verb, nth }: { verb: string; nth: number },
): Promise<void> {
  let seen = 0;
  s3.fails = (said) => {
    if (said.startsWith(`${verb} /pictures`) && (seen += 1) === nth) child.kill("SIGKILL");
    return seen >= nth ? "silent" : null;
  };
  await ended;
  s3.fails = () => null;
}

async function inDatabase<Row extends pg.QueryResultRow>(dataDir: string, text: string) {
  const host = join(dataDir, "postgres", "socket");
  const client = new pg.Client({ host, user: "postcard", database: "postcard" });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const ofNewKeys = "name = 'new-picture-keys' and state in ('created', 'retry', 'active')";

/** As if its time had come, and a run that died had been noticed. */
const dueNow = (dataDir: string) =>
  inDatabase(
    dataDir,
    `update pgboss.job set state = case state when 'active' then 'retry' else state end,
      start_after = now() where ${ofNewKeys}`,
  );

async function unfinished(dataDir: string): Promise<number> {
  const rows = await inDatabase<{ n: number }>(
    dataDir,
    `select count(*)::int as n from pgboss.job where ${ofNewKeys}`,
  );
  return rows[0]?.n ?? 0;
}
