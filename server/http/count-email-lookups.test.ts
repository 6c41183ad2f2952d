import { beforeAll, describe, expect, test } from "vitest";
import { accessMatrix, type World } from "#server/test/access-matrix.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db, {}, { rateLimits: true });
const { queriesPerHour } = limits.emailSearch;

let owner: Viewer;
let caller: Viewer;
let world: World;

beforeAll(async () => {
  [owner, caller] = [await somebody(), await somebody()];
  const post = await features.textPost(owner);
  const comment = await features.comments.add(caller, post, "first", null);
  world = {
    owner,
    follower: caller,
    stranger: caller,
    post,
    commentId: comment.id,
    imageKey: "any",
    suggestionId: comment.id,
    uploadId: comment.id,
    resumableId: comment.id,
    caseId: comment.id,
    linkId: "",
    importId: "",
    verdictId: comment.id,
    albumId: comment.id,
    collectionId: comment.id,
    albumItem: comment.id,
    albumToken: "any",
  };
});

async function somebody(): Promise<Viewer> {
  const [made] = await insertAccounts(db, 1);
  return made as Viewer;
}

let networks = 0;
const visitor = () => ({ remoteAddress: `203.0.113.${(networks += 1)}` });
const emailOf = (n: number) => `nobody.number-${n}@private.example`;

/** How many different texts were counted, for everybody together. */
async function counted(): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    "select coalesce(sum((select count(*) from jsonb_object_keys(queries))), 0)::int as n from email_searches",
  );
  return row?.n ?? 0;
}

async function useUp(who: Viewer | null, from: { remoteAddress?: string } = {}): Promise<void> {
  for (let n = 0; n < queriesPerHour; n += 1) {
    const answer = await call(who, "GET", `/api/users/${emailOf(n)}`, from);
    expect(answer.statusCode).toBe(404);
  }
}

describe("looking accounts up by emails", () => {
  test("ends after 30 different ones; those asked for before stay free, and usernames still work", async () => {
    const network = visitor();
    await useUp(null, network);
    const answer = await call(null, "GET", `/api/users/${owner.email}`, network);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({ error: { code: "too-many-attempts" } });
    expect(answer.body).not.toContain(owner.id);
    const again = await call(null, "GET", `/api/users/email/${emailOf(3).toUpperCase()}`, network);
    expect(again.statusCode).toBe(404);
    const byName = await call(null, "GET", `/api/users/${owner.username}`, network);
    expect(byName.statusCode).toBe(200);
    expect((await call(null, "GET", `/api/users/${owner.email}`, visitor())).statusCode).toBe(200);
  });

  test("shares one budget with the search", async () => {
    const ip = "203.0.113.200";
    await useUp(null, { remoteAddress: ip });
    const found = await features.search.accounts(null, owner.email, null, { ip });
    expect(found.items).toEqual([]);
  });

  test("is free for one's own email and for those that are shown, even when nothing is left", async () => {
    const curious = await somebody();
    const open = await somebody();
    await features.settings.change(open, { showEmail: true });
    await useUp(curious);
    expect((await call(curious, "GET", `/api/users/${owner.email}`)).statusCode).toBe(429);
    const own = await call(curious, "GET", `/api/users/${curious.email.toUpperCase()}`);
    expect(own.statusCode).toBe(200);
    expect((await call(curious, "GET", `/api/users/${open.email}`)).statusCode).toBe(200);
    const followingAccounts = [open.email];
    const follow = await call(curious, "PUT", `/api/users/${curious.email}`, {
      payload: { following: 1, followingAccounts },
    });
    expect(follow.json()).toMatchObject({ modifiedCount: 1 });
    const hidden = await call(curious, "PUT", `/api/users/${curious.email}`, {
      payload: { following: 2, followingAccounts: [open.email, owner.email] },
    });
    expect(hidden.statusCode).toBe(429);
    const chat = await call(curious, "GET", `/api/chats/${curious.email}${owner.email}`);
    expect(chat.statusCode).toBe(429);
    const byName = await call(curious, "GET", `/api/chats/${curious.email}${owner.username}`);
    expect(byName.statusCode).toBe(404);
    // an email that ends with one's own belongs to somebody else
    const longer = await call(curious, "GET", `/api/users/x${curious.email}`);
    expect(longer.statusCode).toBe(429);
  });

  test("is counted even if the call is refused, also with a key and many at once", async () => {
    const flood = await somebody();
    const before = await counted();
    const answers = await Promise.all(
      Array.from({ length: queriesPerHour + 10 }, (_, n) =>
        call(flood, "POST", "/api/comments", {
          payload: { comment: "hello", author: emailOf(n), postId: 1 },
          headers: { "idempotency-key": `key-${n}` },
        }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 404)).toHaveLength(queriesPerHour);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await counted()) - before).toBe(queriesPerHour);
  });
});

/** The calls whose path names an account, and those whose body does. */
const naming = /:(?:address|email|authorEmail|chatId)\b|^DELETE \/api\/comments\/:commentId$/;
const bodies = new Set(["POST /api/comments"]);
const sweep = Object.entries(accessMatrix).filter(
  ([name]) => naming.test(name) || bodies.has(name),
);

test("there are calls to check", () => {
  expect(sweep.length).toBeGreaterThan(25);
});

test.each(sweep.map(([name]) => name))("counts the email in %s", async (name) => {
  const [method = ""] = name.split(" ", 1);
  const row = accessMatrix[name];
  const sweeper = await somebody();
  const email = `${sweeper.username}.target@private.example`;
  const named = { ...owner, username: email, email };
  const send = row?.send({ ...world, owner: named, follower: named });
  const { url, ...options } = send ?? {};
  const before = await counted();
  await call(sweeper, method, String(url), options);
  expect(await counted()).toBeGreaterThan(before);
});

test.each(["PUT /api/bookMark/:email", "PUT /api/users/:email"])(
  "counts the emails in the body of %s",
  async (name) => {
    const sweeper = await somebody();
    const email = `${sweeper.username}.target@private.example`;
    const payload = name.includes("bookMark")
      ? { bookMarks: [{ postId: 1, time: 1, author: email }] }
      : { following: 1, followingAccounts: [email] };
    const before = await counted();
    const path = name.replace("PUT ", "").replace(":email", sweeper.email);
    await call(sweeper, "PUT", path, { payload });
    expect(await counted()).toBe(before + 1);
  },
);
