import { beforeAll, expect, test } from "vitest";
import { decimalOf, idsAround, readDecimal } from "#server/platform/db/decimal-ids.ts";
import { newId } from "#server/platform/db/ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { mediaForm } from "#server/test/media-form.ts";
import { query } from "#server/test/query.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

let sent: string[] = [];
const { db } = await freshDatabase((text) => void sent.push(text));
const { app, features } = await testApp(db);
let ada: Viewer;
let bob: Viewer;
let posts: MadePost[];
let headers: { authorization: string };
let bobs: { authorization: string };

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob <b>Birch</b>")];
  headers = (await connectedApp(features, ada)).headers;
  bobs = (await connectedApp(features, bob)).headers;
  await features.follows.follow(ada, bob.id);
  posts = [];
  for (let at = 0; at < 5; at += 1) posts.push(await features.textPost(bob, `Words ${at}`));
  posts.push(
    await features.photoPost(bob, `<i>Low</i> tide\n\nat @${ada.username} #Harbour`, ["Boats"]),
  );
});

type Json = Record<string, unknown>;
const get = (url: string, as = headers) => app.inject({ url, headers: as });
const json = async (url: string, as = headers) => (await get(url, as)).json<Json>();
const list = async (url: string, as = headers) => (await get(url, as)).json<Json[]>();
const send = (
  method: "POST" | "PUT" | "DELETE" | "PATCH",
  url: string,
  payload: object = {},
  as = headers,
) => app.inject({ method, url, payload, headers: as });

const account = {
  id: expect.stringMatching(/^\d{18,19}$/),
  username: expect.any(String),
  display_name: expect.any(String),
  avatar: expect.stringMatching(/^http/),
  header: expect.stringMatching(/^http/),
  created_at: expect.stringMatching(/\.\d{3}Z$/),
  note: expect.any(String),
  fields: expect.any(Array),
  emojis: [],
  followers_count: expect.any(Number),
  following_count: expect.any(Number),
  statuses_count: expect.any(Number),
};
const status = {
  id: expect.stringMatching(/^\d{18,19}$/),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  account: expect.objectContaining(account),
  visibility: "public",
  reblog: null,
  poll: null,
  card: null,
  mentions: expect.any(Array),
  tags: expect.any(Array),
  media_attachments: expect.any(Array),
};

test("an id is the same number in SQL and here, in the order of time, and leads back", async () => {
  const ids = Array.from({ length: 200 }, newId);
  const rows = await query<{ n: string }>(
    db,
    `select decimal_id(id)::text as n from unnest($1::uuid[]) id`,
    [ids],
  );
  expect(rows.map(({ n }) => n)).toEqual(ids.map(decimalOf));
  const [early = "", late = ""] = [newId(), "ffffffff-ffff-7fff-bfff-ffffffffffff"];
  const { lowest, highest } = idsAround(decimalOf(early));
  expect(lowest < early && early < highest).toBe(true);
  expect(readDecimal(decimalOf(late))).not.toBeNull();
  expect(["", "-1", "01", "9223372036854775808", "1e9", " 1"].map(readDecimal)).toEqual(
    Array.from({ length: 6 }, () => null),
  );
});

test("home is whole statuses, newest first, with pages in both directions", async () => {
  const first = await get("/api/v1/timelines/home?limit=2");
  const [newest, second] = first.json<Json[]>();
  expect(newest).toMatchObject(status);
  expect(newest).toMatchObject({
    content: expect.stringMatching(
      /^<p>&lt;i&gt;Low&lt;\/i&gt; tide<\/p><p>at <span class="h-card"/,
    ),
    mentions: [{ id: decimalOf(ada.id), username: ada.username }],
    tags: [{ name: "harbour" }],
    media_attachments: [
      { type: "image", description: "Boats", blurhash: expect.stringMatching(/^.{20,40}$/) },
    ],
  });
  const link = String(first.headers["link"]);
  expect(link).toMatch(
    new RegExp(
      `max_id=${String(second?.["id"])}>; rel="next", .*min_id=${String(newest?.["id"])}>; rel="prev"`,
    ),
  );
  const older = await list(`/api/v1/timelines/home?limit=2&max_id=${String(second?.["id"])}`);
  expect(older.map(({ content }) => content)).toEqual(["<p>Words 3</p>", "<p>Words 2</p>"]);
  const above = await list(`/api/v1/timelines/home?limit=2&min_id=${String(older[1]?.["id"])}`);
  expect(above.map(({ id }) => id)).toEqual([second?.["id"], older[0]?.["id"]]);
  const since = await list(`/api/v1/timelines/home?limit=2&since_id=${String(older[1]?.["id"])}`);
  expect(since.map(({ id }) => id)).toEqual([newest?.["id"], second?.["id"]]);
});

test("a profile has its statuses, and its own pages", async () => {
  const id = decimalOf(bob.id);
  expect(await json(`/api/v1/accounts/${id}`)).toMatchObject({ ...account, statuses_count: 6 });
  expect(await list(`/api/v1/accounts/${id}/statuses?only_media=true`)).toHaveLength(1);
  const lowest = decimalOf(posts[0]?.postId ?? "");
  const next = await list(`/api/v1/accounts/${id}/statuses?limit=2&min_id=${lowest}`);
  expect(next.map(({ content }) => content)).toEqual(["<p>Words 2</p>", "<p>Words 1</p>"]);
  expect(await json(`/api/v1/accounts/lookup?acct=${bob.username}@localhost:3000`)).toMatchObject({
    id,
  });
  expect(await list(`/api/v1/accounts/relationships?id[]=${id}`)).toMatchObject([
    { id, following: true, blocking: false },
  ]);
});

test("photos are sent, described and posted, once for one key", async () => {
  const photo = await features.photo();
  const form = await mediaForm(photo.path, { description: "A pier" });
  const sent = await app.inject({
    method: "POST",
    url: "/api/v2/media",
    payload: form.payload,
    headers: { ...headers, ...form.headers },
  });
  expect(sent.statusCode, sent.body).toBe(200);
  const { id } = sent.json<{ id: string }>();
  expect(sent.json()).toMatchObject({
    description: "A pier",
    meta: { original: { width: expect.any(Number) } },
  });
  const described = await send("PUT", `/api/v1/media/${id}`, { description: "A long pier" });
  expect(described.json()).toMatchObject({ id, description: "A long pier" });
  expect((await send("PUT", `/api/v1/media/${id}`, { description: "mine" }, bobs)).statusCode).toBe(
    404,
  );
  const payload = { status: "Sunday", media_ids: [id] };
  const once = { ...headers, "idempotency-key": "a key" };
  const made = await send("POST", "/api/v1/statuses", payload, once);
  expect(made.statusCode, made.body).toBe(200);
  expect(made.json()).toMatchObject({
    ...status,
    media_attachments: [{ description: "A long pier" }],
  });
  // The same request again, as a phone sends it that got no answer.
  const before = await list(`/api/v1/accounts/${decimalOf(ada.id)}/statuses`);
  await send("POST", "/api/v1/statuses", { status: "Sunday" }, once);
  expect(await list(`/api/v1/accounts/${decimalOf(ada.id)}/statuses`)).toHaveLength(before.length);
});

test("statuses come in the order in which they are asked for", async () => {
  const made = await features.comments.add(
    ada,
    { authorId: bob.id, postId: posts[0]?.postId ?? "" },
    "A reply",
    null,
    null,
  );
  const ids = [posts[1]?.postId, made.id, posts[3]?.postId, posts[0]?.postId].map((id) =>
    decimalOf(id ?? ""),
  );
  const asked = await list(`/api/v1/statuses?${ids.map((id) => `id[]=${id}`).join("&")}`);
  expect(asked.map(({ id }) => id)).toEqual(ids);
});

test("a status is changed, liked, saved, answered and deleted", async () => {
  const made = (await send("POST", "/api/v1/statuses", { status: "First words" })).json<{
    id: string;
  }>();
  const path = `/api/v1/statuses/${made.id}`;
  expect((await send("PUT", path, { status: "Other words" })).json()).toMatchObject({
    content: "<p>Other words</p>",
    edited_at: expect.any(String),
  });
  expect(await list(`${path}/history`)).toMatchObject([
    { content: "<p>First words</p>" },
    { content: "<p>Other words</p>" },
  ]);
  expect((await send("POST", `${path}/favourite`, {}, bobs)).json()).toMatchObject({
    favourited: true,
    favourites_count: 1,
  });
  expect((await send("POST", `${path}/bookmark`, {}, bobs)).json()).toMatchObject({
    bookmarked: true,
  });
  expect((await list("/api/v1/favourites", bobs)).map(({ id }) => id)).toContain(made.id);
  expect((await list("/api/v1/bookmarks", bobs)).map(({ id }) => id)).toContain(made.id);
  const reply = (
    await send("POST", "/api/v1/statuses", { status: "An answer", in_reply_to_id: made.id }, bobs)
  ).json<{ id: string }>();
  expect(reply).toMatchObject({
    in_reply_to_id: made.id,
    in_reply_to_account_id: decimalOf(ada.id),
  });
  expect(await json(`${path}/context`)).toMatchObject({
    ancestors: [],
    descendants: [{ id: reply.id }],
  });
  expect(await json(`/api/v1/statuses/${reply.id}/context`)).toMatchObject({
    ancestors: [{ id: made.id }],
    descendants: [],
  });
  expect(await list("/api/v1/notifications?types[]=favourite&types[]=nothing")).toMatchObject([
    { type: "favourite", account: { username: bob.username }, status: { id: made.id } },
  ]);
  const all = await list("/api/v1/notifications");
  expect(all[0]).toMatchObject({ type: "mention", status: { id: reply.id } });
  const grouped = await json("/api/v2/notifications");
  expect(grouped["notification_groups"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "favourite", notifications_count: 1, status_id: made.id }),
    ]),
  );
  expect(await json("/api/v1/notifications/unread_count")).toEqual({ count: all.length });
  expect(
    (await send("POST", `/api/v1/notifications/${String(all[0]?.["id"])}/dismiss`)).statusCode,
  ).toBe(200);
  expect(await list("/api/v1/notifications")).toHaveLength(all.length - 1);
  // As in Mastodon, which looks among the caller's own: docs.joinmastodon.org/methods/statuses/#delete
  for (const method of ["PUT", "DELETE"] as const) {
    const others = await send(method, path, { status: "Bob's" }, bobs);
    expect([others.statusCode, others.json()]).toEqual([404, { error: "Record not found" }]);
  }
  expect((await send("DELETE", path)).json()).toMatchObject({ id: made.id, text: "Other words" });
  expect((await get(path)).statusCode).toBe(404);
});

test.each([
  [{ status: "x", visibility: "unlisted" }],
  [{ status: "x", visibility: "direct" }],
  [{ status: "x", poll: { options: ["a", "b"], expires_in: 300 } }],
  [{ status: "x", scheduled_at: "2030-01-01T00:00:00.000Z" }],
  [{ status: "x", spoiler_text: "x".repeat(201) }],
  [{ status: "x".repeat(3000) }],
  [{ status: "" }],
  [{ status: "x", media_ids: ["1"] }],
])("%j is refused with a sentence, and nothing is published", async (payload) => {
  const before = await list(`/api/v1/accounts/${decimalOf(ada.id)}/statuses`);
  const answer = await send("POST", "/api/v1/statuses", payload);
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toEqual({ error: expect.stringMatching(/\w+ \w+/) });
  expect(await list(`/api/v1/accounts/${decimalOf(ada.id)}/statuses`)).toHaveLength(before.length);
});

test("nobody but the accounts that an app allows is mentioned; otherwise nothing is published", async () => {
  const cleo = await features.member("Noor Named");
  const text = `With @${bob.username} and @${cleo.username}, by @${ada.username}`;
  const publish = (allowed_mentions: string[]) =>
    send("POST", "/api/v1/statuses", { status: text, allowed_mentions });
  const mine = async () => list(`/api/v1/accounts/${decimalOf(ada.id)}/statuses`);
  const before = (await mine()).length;
  const ids = [bob, cleo].map(({ id }) => decimalOf(id));
  for (const [allowed, unexpected] of [
    [[], ids],
    [ids.slice(0, 1), ids.slice(1)],
    [["nothing"], ids],
  ]) {
    const refused = await publish(allowed ?? []);
    expect(refused.statusCode, refused.body).toBe(422);
    const answer = refused.json<{ error: string; unexpected_accounts: Json[] }>();
    expect(answer.error).toMatch(/mention/);
    expect(answer.unexpected_accounts.map(({ id }) => id)).toEqual(unexpected);
    expect(answer.unexpected_accounts[0]).toMatchObject(account);
  }
  expect(await mine()).toHaveLength(before);
  expect((await publish(ids)).statusCode).toBe(200);
  expect((await send("POST", "/api/v1/statuses", { status: text })).statusCode).toBe(200);
  const path = `/api/v1/statuses/${decimalOf(posts[0]?.postId ?? "")}`;
  const under = async () => ((await json(`${path}/context`))["descendants"] as Json[]).length;
  const replies = await under();
  const reply = { status: text, in_reply_to_id: path.split("/").at(-1), allowed_mentions: [] };
  expect((await send("POST", "/api/v1/statuses", reply)).statusCode).toBe(422);
  expect(await under()).toBe(replies);
});

test("an app keeps notes about people", async () => {
  const nora = await features.member("Nora Noted");
  const url = `/api/v1/accounts/${decimalOf(nora.id)}/note`;
  const note = async (comment?: string) => (await send("POST", url, { comment })).json();
  expect(await note("From work")).toMatchObject({ note: "From work", following: false });
  expect((await send("POST", url, { comment: "x".repeat(2001) })).statusCode).toBe(422);
  const asked = `/api/v1/accounts/relationships?id[]=${decimalOf(nora.id)}`;
  expect(await list(asked)).toMatchObject([{ note: "From work" }]);
  expect(await note()).toMatchObject({ note: "" });
  const nobody = "/api/v1/accounts/1234567890123456789/note";
  expect((await send("POST", nobody, { comment: "Nobody" })).statusCode).toBe(404);
});

test("accounts are followed, muted, blocked and found", async () => {
  const cleo = await features.member("Cleo Cassidy");
  const path = `/api/v1/accounts/${decimalOf(cleo.id)}`;
  expect((await send("POST", `${path}/follow`)).json()).toMatchObject({ following: true });
  expect((await send("POST", `${path}/mute`)).json()).toMatchObject({ muting: true });
  const muted = async () => (await list("/api/v1/mutes"))[0];
  expect(await muted()).toMatchObject({ username: cleo.username, mute_expires_at: null });
  for (const [duration, ends] of [
    [3600, expect.stringMatching(/^\d{4}-.+Z$/)],
    [0, null],
  ] as const) {
    await send("POST", `${path}/mute`, { duration });
    expect(await muted(), String(duration)).toMatchObject({ mute_expires_at: ends });
  }
  expect((await send("POST", `${path}/block`)).json()).toMatchObject({
    blocking: true,
    following: false,
  });
  expect(await list("/api/v1/blocks")).toMatchObject([{ username: cleo.username }]);
  // A member finds whom they blocked, by the full name, and no more than that.
  const hidden = { username: cleo.username, note: "", followers_count: 0, statuses_count: 0 };
  expect(await json(path)).toMatchObject(hidden);
  expect(await json(`/api/v1/accounts/lookup?acct=${cleo.username}`)).toMatchObject(hidden);
  for (const name of [cleo.username, `@${cleo.username.toUpperCase()}@localhost:3000`]) {
    const [one, ...rest] = await list(`/api/v1/accounts/search?q=${encodeURIComponent(name)}`);
    expect([one, rest]).toEqual([expect.objectContaining(hidden), []]);
    const v2 = `/api/v2/search?type=accounts&q=${encodeURIComponent(name)}`;
    expect(await json(v2)).toMatchObject({ accounts: [hidden] });
  }
  expect(await list(`/api/v1/accounts/search?following=true&q=${cleo.username}`)).toEqual([]);
  expect(await list(`/api/v1/accounts/search?q=${cleo.username.slice(0, -1)}`)).toEqual([]);
  expect(await list(`${path}/statuses`)).toEqual([]);
  // And the blocked member finds nothing of them, in any way.
  const cleos = (await connectedApp(features, cleo)).headers;
  const adas = `/api/v1/accounts/${decimalOf(ada.id)}`;
  for (const url of [adas, `/api/v1/accounts/lookup?acct=${ada.username}`]) {
    expect((await get(url, cleos)).statusCode, url).toBe(404);
  }
  expect(await list(`/api/v1/accounts/search?q=${ada.username}`, cleos)).toEqual([]);
  expect(await json(`/api/v2/search?q=${ada.username}`, cleos)).toMatchObject({ accounts: [] });
  expect((await send("POST", `${path}/unblock`)).json()).toMatchObject({ blocking: false });
  const found = await json("/api/v2/search?q=cleo&type=accounts");
  expect(found).toMatchObject({
    accounts: [{ username: cleo.username }],
    statuses: [],
    hashtags: [],
  });
});

test("familiar followers are listed for each account separately", async () => {
  const [eve, fay] = [await features.member("Eve Early"), await features.member("Fay Finch")];
  await features.follows.follow(bob, eve.id);
  const ids = [eve, fay].map(({ id }) => decimalOf(id));
  const familiar = await list(
    `/api/v1/accounts/familiar_followers?${ids.map((id) => `id[]=${id}`).join("&")}`,
  );
  expect(familiar).toMatchObject([
    { id: ids[0], accounts: [{ id: decimalOf(bob.id) }] },
    { id: ids[1], accounts: [] },
  ]);
  const several = await list(`/api/v1/accounts?${ids.map((id) => `id[]=${id}`).join("&")}`);
  expect(several.map(({ id }) => id)).toEqual(ids);
});

test("home is read in three round trips, the token's among them, however many are named", async () => {
  await features.profiles.update(bob, { bio: `Friend of @${ada.username}` });
  const home = await list("/api/v1/timelines/home?limit=20");
  expect(home.find(({ id }) => id === decimalOf(posts[5]?.postId ?? ""))).toMatchObject({
    mentions: [{ id: decimalOf(ada.id) }],
    account: { note: expect.stringContaining('class="u-url mention"'), statuses_count: 6 },
  });
  sent = [];
  expect((await get("/api/v1/timelines/home?limit=20")).statusCode).toBe(200);
  expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(3);
});

test("how far a member read is stored for all of their apps", async () => {
  const last_read_id = decimalOf(newId());
  const stored = await send("POST", "/api/v1/markers", { home: { last_read_id } });
  expect(stored.json()).toMatchObject({ home: { last_read_id, version: 1 } });
  expect(await json("/api/v1/markers?timeline[]=home&timeline[]=notifications")).toMatchObject({
    home: { last_read_id },
  });
});

test("the site says what it is, and what may be sent", async () => {
  expect(await json("/api/v2/instance")).toMatchObject({
    domain: "localhost:3000",
    configuration: { statuses: { max_characters: 2200, max_media_attachments: 10 } },
  });
  const { stats, ...v1 } = await json("/api/v1/instance");
  expect(v1).toMatchObject({ uri: "localhost:3000" });
  const [count] = await query<{ members: number }>(
    db,
    "select count(*)::int as members from accounts",
  );
  expect(stats).toMatchObject({ user_count: count?.members, domain_count: 0 });
  const { links } = await json("/.well-known/nodeinfo");
  expect(links).toHaveLength(2);
  for (const { href } of links as { href: string }[]) {
    // Without the upstream, megalodon's apps know no such server; the schema asks for a protocol.
    expect(await json(new URL(href).pathname)).toMatchObject({
      version: href.slice(-3),
      software: { name: "postcard" },
      protocols: ["activitypub"],
      usage: { users: { total: count?.members } },
      metadata: { upstream: { name: "mastodon" } },
    });
  }
});

test.each([
  "/api/v1/statuses/0",
  "/api/v1/statuses/nothing",
  "/api/v1/accounts/9223372036854775807",
  "/api/v1/accounts/%00",
])("%s is not found", async (url) => {
  const answer = await get(url);
  expect([answer.statusCode, answer.json()]).toEqual([404, { error: "Record not found" }]);
});

test.each(["/api/v1/instance/", "/api/v2/instance/?x=1", "/api/v1/timelines/home/?limit=2"])(
  "a slash at the end of %s is ignored",
  async (url) => {
    const [without, answer] = [await get(url.replace(/\/(?=\?|$)/, "")), await get(url)];
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual(without.json());
  },
);

const search = async (query: string) => {
  const answer = await app.inject({ url: `/api/v2/search?${query}` });
  return [answer.statusCode, answer.json<Record<string, Json[]>>()] as const;
};
const suggested = async () => (await list("/api/v1/suggestions")).map(({ id }) => String(id));

test("anybody may search, but only a member for what a server would have to look up", async () => {
  const [code, found] = await search(`q=${bob.username}`);
  expect([code, found["accounts"]]).toEqual([200, [expect.objectContaining(account)]]);
  expect((await search("q=harbour"))[1]["hashtags"]).toMatchObject([{ name: "harbour" }]);
  for (const more of ["resolve=true", "offset=20"]) {
    expect((await search(`q=${bob.username}&${more}`))[0]).toBe(401);
  }
  const followed = await json(`/api/v2/search?q=${bob.username}&following=true`);
  expect(followed).toMatchObject({ accounts: [{ username: bob.username }] });
  const stranger = await features.member("Stefan Stranger");
  const none = await json(`/api/v2/search?q=${stranger.username}&following=true`);
  expect(none).toMatchObject({ accounts: [] });
});

test("a dismissed suggestion does not come back", async () => {
  await features.textPost(await features.member("Sue Suggested"));
  const [id = "", ...others] = await suggested();
  expect(id).toMatch(/^\d+$/);
  const gone = await send("DELETE", `/api/v1/suggestions/${id}`);
  expect([gone.statusCode, gone.json()]).toEqual([200, {}]);
  expect(await suggested()).toEqual(others);
  expect((await send("DELETE", "/api/v1/suggestions/1234567890123456789")).statusCode).toBe(404);
});

test("a tag's timeline has photos alone if those are asked for, from either end", async () => {
  const ids: string[] = [];
  for (const at of [0, 1, 2, 3]) {
    await features.textPost(bob, `Words of #gulls ${at}`);
    ids.unshift(decimalOf((await features.photoPost(bob, `#gulls ${at}`)).postId));
  }
  const at = "/api/v1/timelines/tag/gulls?only_media=true&limit=2";
  const asked = async (rest: string) => (await list(at + rest)).map(({ id }) => id);
  expect(await list("/api/v1/timelines/tag/gulls")).toHaveLength(8);
  expect(await asked("")).toEqual(ids.slice(0, 2));
  expect(await asked(`&max_id=${ids[1]}`)).toEqual(ids.slice(2));
  expect(await asked(`&min_id=${ids[3]}`)).toEqual(ids.slice(1, 3));
});

const reefs = async (rest: string) =>
  (await list(`/api/v1/timelines/tag/reef?${rest}`)).map(({ id }) => id);

test("a tag's timeline can ask for other tags as well, for all of some, and for none of others", async () => {
  const made: Record<string, string> = {};
  for (const words of ["#reef", "#atoll", "#reef #tide", "#reef #tide #wreck", "#atoll #tide"]) {
    made[words] = decimalOf((await features.textPost(bob, words)).postId);
  }
  const ids = (...words: string[]) => words.map((each) => made[each]);
  expect(await reefs("any[]=atoll&any[]=nothing")).toEqual(ids(...Object.keys(made).toReversed()));
  expect(await reefs("all[]=TIDE")).toEqual(ids("#reef #tide #wreck", "#reef #tide"));
  expect(await reefs("all[]=tide&all[]=wreck")).toEqual(ids("#reef #tide #wreck"));
  expect(await reefs("none[]=wreck")).toEqual(ids("#reef #tide", "#reef"));
  expect(await reefs("any[]=atoll&all[]=tide&none[]=wreck")).toEqual(
    ids("#atoll #tide", "#reef #tide"),
  );
  const [oldest, above] = ids("#reef", "#atoll");
  expect(await reefs(`any[]=atoll&limit=2&min_id=${oldest}`)).toEqual(ids("#reef #tide", "#atoll"));
  expect(await reefs(`any[]=atoll&max_id=${above}`)).toEqual([oldest]);
  expect(await reefs("any[]=")).toEqual(ids("#reef #tide #wreck", "#reef #tide", "#reef"));
  const five = Array.from({ length: 5 }, (_, at) => `all[]=t${at}`).join("&");
  for (const wrong of [five, "none[]=%20"]) {
    expect((await get(`/api/v1/timelines/tag/reef?${wrong}`)).statusCode, wrong).toBe(422);
  }
});

test("an edited post has the photos of each version that it still has, and no medium is sent as one without an id", async () => {
  const made = await features.photoPost(ada, "One", ["first", "second"]);
  const { authorId, postId } = { authorId: ada.id, postId: made.postId };
  const path = `/api/v1/statuses/${decimalOf(postId)}`;
  const [first, second] = ((await json(path))["media_attachments"] as Json[]).map(({ id }) =>
    String(id),
  );
  const alts = async () =>
    (await list(`${path}/history`)).map(({ media_attachments: all }) =>
      (all as Json[]).map(({ description }) => description),
    );
  await send("PUT", path, { status: "Two", media_ids: [second, first] });
  await send("PUT", path, { status: "Three", media_ids: [second] });
  expect(await alts()).toEqual([["second"], ["second"], ["second"]]);
  await query(
    db,
    "update post_versions set image_ids = null where author_id = $1 and post_id = $2",
    [authorId, postId],
  );
  expect(await alts()).toEqual([["second"], ["second"], ["second"]]);
  await send("PUT", path, { status: "Words alone", media_ids: [""] });
  expect(await json(path)).toMatchObject({ content: "<p>Words alone</p>", media_attachments: [] });
  const words = await send("POST", "/api/v1/statuses", { status: "None", media_ids: [""] });
  expect(words.json()).toMatchObject({ content: "<p>None</p>", media_attachments: [] });
});

test("a photo that came later is in no version before", async () => {
  const made = await features.photoPost(ada, "Before", ["early"]);
  const [{ key = "" } = {}] =
    (await features.posts.get(ada, ada.username, made.number))?.pictures ?? [];
  const path = `/api/v1/statuses/${decimalOf(made.postId)}`;
  const pictures = [{ imageId: await features.upload(ada), alt: "late" }, { key }];
  await features.posts.edit(ada, ada.username, made.number, {
    version: 0,
    caption: "After",
    pictures,
  });
  const shown = (await list(`${path}/history`)).map(({ media_attachments: all }) =>
    (all as Json[]).map(({ description }) => description),
  );
  expect(shown).toEqual([["early"], ["late", "early"]]);
  // Nobody else sees what it said, and everybody since when it says this.
  const others = await list(`${path}/history`, bobs);
  const { edited_at } = await json(path, bobs);
  expect(others).toMatchObject([{ content: "<p>After</p>", created_at: edited_at }]);
});

test("a follower is removed, and who is none may be", async () => {
  const dora = await features.member("Dora Drake");
  await features.follows.follow(dora, ada.id);
  const path = `/api/v1/accounts/${decimalOf(dora.id)}/remove_from_followers`;
  for (let time = 0; time < 2; time += 1) {
    const answer = await send("POST", path);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { followed_by: false }]);
  }
  expect((await features.follows.followers(ada, ada.id, null)).items).toEqual([]);
});
