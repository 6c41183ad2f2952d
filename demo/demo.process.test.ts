import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { storeEnvironment } from "#server/test/image-stores.ts";
import { startProgram, temporaryFolder, type Running } from "#server/test/processes.ts";
import { addressOf, postmasterOf, startServer } from "#server/test/running-server.ts";
import { conversationsOf } from "./conversations.ts";
import { followTest, reactionsTo } from "./reactions.ts";
import { planDemo, type DemoPlan } from "./plan.ts";

const people = 2;

function demo(dataDir: string): Running {
  const words = [process.execPath, "demo/main.ts", "--people", String(people)];
  return startProgram(words, {
    env: { DATA_DIR: dataDir, PORT: "0", ...storeEnvironment(dataDir) },
  });
}

test(
  "a half-made town is finished beside a running server, and never doubled",
  { timeout: 300_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const plan = planDemo("town", people);

    const first = demo(dataDir);
    await first.until(/Follows: 2 of 2/);
    await until(async () => (await countOf(dataDir, "posts")) >= 4);
    first.child.kill("SIGKILL");
    await first.ended;
    const half = await stored(dataDir);
    expect(half.posts.length).toBeLessThan(plan.posts.length);

    const server = startServer(dataDir);
    const address = await addressOf(server);
    const second = demo(dataDir);
    expect(await second.ended, second.said()).toBe(0);
    const whole = await stored(dataDir);
    expect(whole).toEqual(planned(plan));
    expect(whole.posts).toEqual(expect.arrayContaining(half.posts));

    for (const [, email = "", password = ""] of second
      .said()
      .matchAll(/^ {2}(\S+) {2}(\S+) {2}/gm)) {
      const form = new URLSearchParams({ email, password });
      const answer = await fetch(`${address}/signIn`, { method: "POST", body: form });
      await answer.arrayBuffer();
      const cookie = answer.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
      const profile = await fetch(`${address}/profile`, { headers: { cookie: cookie.join("; ") } });
      const name = plan.people.find((person) => person.email === email)?.second ?? "nobody";
      expect(await profile.text()).toContain(name);
    }

    const again = demo(dataDir);
    expect(await again.ended, again.said()).toBe(0);
    expect(await stored(dataDir)).toEqual(whole);
    expect(signIns(again)).toEqual(signIns(second));
    expect(signIns(again).length).toBe(2);

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    // Now stopped: the command that fills the town starts the database itself, and stops it again.
    expect(await demo(dataDir).ended).toBe(0);
    expect(postmasterOf(dataDir)).toBeNull();
  },
);

test("a wrong size is answered with a sentence", async () => {
  const words = [process.execPath, "demo/main.ts", "--people", "many"];
  const run = startProgram(words, { env: { DATA_DIR: join(temporaryFolder(), "data") } });
  expect(await run.ended).toBe(1);
  expect(run.said()).toBe("--people is many, but must be a whole number from 2 to 5000.\n");
});

const signIns = (run: Running) =>
  run
    .said()
    .split("\n")
    .filter((line) => line.startsWith("  "));

type Contents = ReturnType<typeof planned>;

/** What the database should have, by the plan. */
function planned(plan: DemoPlan) {
  const follows = followTest(plan);
  const reactions = plan.posts.flatMap((post) => reactionsTo(post, plan, follows));
  const kinds = (kind: string) => reactions.filter((reaction) => reaction.kind === kind).length;
  return {
    bios: plan.people.map(({ bio }) => bio),
    // in order of time, by their authors' own numbers
    posts: plan.posts.map(({ caption, pictures }) => ({
      caption,
      alts: pictures.map(({ alt }) => alt).join("|"),
    })),
    ordered: true,
    dated: true,
    comments: reactions.flatMap((one) => (one.kind === "comment" ? [one.body] : [])).sort(),
    likes: kinds("like"),
    saves: kinds("save"),
    follows: plan.follows.length,
    counted: true,
    messages: conversationsOf(plan).flatMap(({ messages }) =>
      messages.map(({ body, photo }) => ({ body, photo: photo !== null })),
    ),
    read: conversationsOf(plan)
      .flatMap(({ read }) => read)
      .toSorted((a, b) => a - b),
    sessions: 0,
  };
}

const rows = {
  bios: "select json_agg(bio order by id) as value from accounts",
  posts: `select json_agg(json_build_object('caption', caption, 'alts', coalesce((
      select string_agg(alt, '|' order by position) from post_pictures pictures
      where pictures.author_id = posts.author_id and pictures.post_id = posts.id), '')
    ) order by id) as value from posts`,
  ordered: `select bool_and(number = place) as value from (
      select number, row_number() over (partition by author_id order by id) as place from posts) p`,
  dated: `select bool_and(created_at < now() - interval '1 minute' and created_at >
      (select min(created_at) from accounts)) as value from posts`,
  comments:
    "select coalesce(json_agg(body order by body collate \"C\"), '[]') as value from comments",
  likes: "select count(*)::int as value from likes",
  saves: "select count(*)::int as value from bookmarks",
  follows: "select count(*)::int as value from follows",
  counted: `select bool_and(like_count = (select count(*) from likes l where l.post_id = posts.id)
      and comment_count = (select count(*) from comments c where c.post_id = posts.id)) as value
    from posts`,
  messages: `select json_agg(json_build_object('body', body, 'photo', has_picture and exists (
      select from message_pictures p where p.conversation_id = m.conversation_id and p.seq = m.seq
    )) order by seq) as value from messages m`,
  read: "select json_agg(read_seq order by read_seq) as value from conversation_members",
  sessions: "select count(*)::int as value from sessions where user_agent = 'npm run demo'",
} satisfies Record<keyof Contents, string>;

async function stored(dataDir: string): Promise<Contents> {
  const values: Record<string, unknown> = {};
  for (const [name, query] of Object.entries(rows)) values[name] = await ask(dataDir, query);
  return values as Contents;
}

async function countOf(dataDir: string, table: "posts"): Promise<number> {
  return (await ask(dataDir, `select count(*)::int as value from ${table}`)) as number;
}

async function ask(dataDir: string, query: string): Promise<unknown> {
  const client = new pg.Client(findRunningPostgres(dataDir) ?? {});
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(query)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100);
}
