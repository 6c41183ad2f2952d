import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { imageForm } from "#server/test/image-form.ts";
import { pgbouncer } from "#server/test/pgbouncer.ts";
import { temporaryFolder, type Running } from "#server/test/processes.ts";
import { addressOf, sharedSettings, signUp, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";
import { createEventReader } from "#shared/event-stream.ts";
import type { FeedPost } from "#shared/views.ts";

/*
 * Two servers with folders of their own, one PostgreSQL and one bucket, as behind a load balancer that sends
 * requests to the two servers in turn.
 */
const folder = temporaryFolder();
let settings: NodeJS.ProcessEnv;
let one: string;
let other: string;

type Asked = { cookie?: string; body?: object | FormData };

async function ask(server: string, method: string, path: string, { cookie, body }: Asked = {}) {
  const form = body instanceof FormData;
  return fetch(server + path, {
    method,
    headers: {
      origin: server,
      ...(cookie && { cookie }),
      ...(body && !form && { "content-type": "application/json" }),
    },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  });
}

async function json<Answer>(answer: Response, status = 200): Promise<Answer> {
  const text = await answer.text();
  expect(answer.status, text).toBe(status);
  return JSON.parse(text) as Answer;
}

type Me = { user: { username: string } | null };

async function member(email: string) {
  const cookie = await signUp(one, email);
  const { user } = await json<Me>(await ask(other, "GET", "/api/session", { cookie }));
  return { cookie, username: user?.username ?? "" };
}

/** What a member's stream at a server sends until it ends. */
async function listen(server: string, cookie: string) {
  const heard: string[] = [];
  const state = { ended: false };
  const answer = await ask(server, "GET", "/api/events", { cookie });
  const read = createEventReader(
    ({ type, data }) => void heard.push(`${type} ${JSON.stringify(data)}`),
  );
  const hear = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) read(decoder.decode(chunk, { stream: true }));
  };
  void hear()
    .catch(() => undefined)
    .finally(() => (state.ended = true));
  await until(() => heard.some((event) => event.startsWith("hello")));
  return { heard, state };
}

const kinds = [
  ...(pgbouncer ? [{ servers: "servers behind PgBouncer in transaction mode", pooled: true }] : []),
  { servers: "servers of one installation", pooled: false },
];

describe.each(kinds)("two $servers", ({ pooled }) => {
  beforeAll(async () => {
    settings = await sharedSettings(folder, { pooled });
  });
  beforeEach(async () => {
    const env = { ...settings, RATE_LIMITS: "on" };
    one = await addressOf(startServer(join(folder, "one"), env));
    other = await addressOf(startServer(join(folder, "other"), env));
  }, 120_000);

  test("serve one member together, with requests to the two in turn", async () => {
    const ada = await member("ada@example.org");
    const bob = await member("bob@example.org");
    for (const [from, to, server] of [
      [ada, bob, one],
      [bob, ada, other],
    ] as const) {
      const answer = await ask(server, "PUT", `/api/accounts/${to.username}/follow`, from);
      expect(answer.status).toBe(200);
    }

    const sent = { cookie: ada.cookie, body: await imageForm() };
    const upload = await ask(one, "POST", "/api/images", sent);
    const { data } = await json<{ data: { id: string } }>(upload, 201);
    const body = { caption: "By the sea", pictures: [{ imageId: data.id, alt: "A harbour" }] };
    const post = await json<FeedPost>(
      await ask(other, "POST", "/api/posts", { cookie: ada.cookie, body }),
      201,
    );
    const [picture] = post.pictures;
    const photo = `/images/${picture?.key}/${picture?.widths[0]}.webp`;
    for (const server of [one, other]) expect((await ask(server, "GET", photo)).status).toBe(200);

    const stream = await listen(other, bob.cookie);
    const path = `/api/posts/${ada.username}/1`;
    const words = { cookie: bob.cookie, body: { body: "Lovely" } };
    await json(await ask(one, "POST", `${path}/comments`, words), 201);
    await json(await ask(other, "PUT", `${path}/like`, { cookie: bob.cookie }));
    const chat = `/api/chats/${ada.username}.${bob.username}/messages`;
    const letter = { cookie: ada.cookie, body: { body: "Hello from the other one" } };
    await json(await ask(one, "POST", chat, letter), 201);
    await until(() => stream.heard.some((event) => event.includes("Hello from the other one")));
    const read = await json<FeedPost>(await ask(one, "GET", path, { cookie: bob.cookie }));
    expect(read).toMatchObject({ likeCount: 1, liked: true });

    // what is deleted at one is deleted at the other
    expect((await ask(one, "DELETE", path, { cookie: ada.cookie })).status).toBeLessThan(300);
    expect((await ask(other, "GET", path, { cookie: bob.cookie })).status).toBe(404);
    await until(async () => (await ask(other, "GET", photo)).status === 404);
    await ask(one, "DELETE", "/api/session", { cookie: bob.cookie });
    const { user } = await json<Me>(
      await ask(other, "GET", "/api/session", { cookie: bob.cookie }),
    );
    expect(user).toBeNull();
    await until(() => stream.state.ended);
    expect(stream.heard.some((event) => event.startsWith("signed-out"))).toBe(true);
  }, 120_000);

  test("count guesses at a password together", async () => {
    const { username } = await member("eve@example.org");
    expect(username).not.toBe("");
    const statuses: number[] = [];
    for (let tries = 0; tries < 14; tries += 1) {
      const body = { email: "eve@example.org", password: `guess number ${tries}` };
      statuses.push((await ask(tries % 2 ? one : other, "POST", "/api/session", { body })).status);
    }
    // "account-failures" in server/features/limits/limits.ts
    expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429]);
  }, 120_000);
});

async function refusalOf(server: Running): Promise<string> {
  expect(await server.ended).toBe(1);
  return server.complained();
}

describe("a server that does not belong to the others does not start", () => {
  test("because its secrets are different", async () => {
    const own = { ...settings, SECRETS_FILE: join(folder, "others.json") };
    expect(await refusalOf(startServer(join(folder, "third"), own))).toContain(
      "others.json is missing, but the database is in use",
    );
    const strange = temporaryFolder();
    const elsewhere = await sharedSettings(strange);
    const first = startServer(join(strange, "first"), elsewhere);
    await addressOf(first);
    const mixed = { ...settings, SECRETS_FILE: elsewhere["SECRETS_FILE"] };
    expect(await refusalOf(startServer(join(folder, "third"), mixed))).toContain(
      "secrets.json does not fit the database, which is used with other secrets",
    );
  }, 120_000);

  test("because its images would be on a disk of its own", async () => {
    const shared = temporaryFolder();
    const env = { ...(await sharedSettings(shared)), IMAGE_STORE: "disk" };
    const first = join(shared, "first");
    await addressOf(startServer(first, env));
    const second = join(shared, "second");
    expect(await refusalOf(startServer(second, env))).toContain(
      "IMAGE_STORE is disk, but the pictures of this database lie in another DATA_DIR",
    );
    // a copy of the folder, as an operator makes who moves to another machine
    mkdirSync(join(shared, "copy"), { mode: 0o700 });
    cpSync(join(first, "pictures.id"), join(shared, "copy", "pictures.id"));
    await addressOf(startServer(join(shared, "copy"), env));
  }, 120_000);
});
