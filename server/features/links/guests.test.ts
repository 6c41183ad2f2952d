import { join } from "node:path";
import { fromBufferPromise } from "yauzl";
import sharp from "sharp";
import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { loadBuiltScreens } from "#server/screens.ts";
import { loggedPath } from "#server/http/logging.ts";
import { testApp } from "#server/test/app.ts";
import { addCloseFriend, setPrivate } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import type { SharedLink } from "#shared/shared-links.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * What somebody without an account sees by a link, at its page, its photos and its zip: the same at each of them.
 */
const { db } = await freshDatabase();
const screens = await loadBuiltScreens(join(import.meta.dirname, "../../.."), (error) => {
  throw error;
});
const { app, features: on, call } = await testApp(db, {}, { screens, rateLimits: true });

let maker: Viewer;
let network = 0;

beforeEach(async () => {
  maker = await on.member("Mara Maker", Date.now() - 3 * 86_400_000);
  network += 1;
});

type Wanted = {
  kind?: "post" | "profile";
  audience?: Audience;
  confirmed?: Audience;
  photos?: number;
} & Partial<Record<"password" | "lasts" | "until", string>> &
  Partial<Record<"downloads" | "previews", boolean>>;

async function publish(audience: Audience, photos = 1, caption = "") {
  const pictures = [];
  for (let i = 0; i < photos; i += 1) pictures.push({ imageId: await on.upload(maker), alt: "" });
  return on.publish(maker, { pictures, audience, caption });
}

/** A link to a new post, or to the profile that has it. */
async function linkTo({ kind = "post", audience = "followers", photos, ...more }: Wanted = {}) {
  const post = await publish(audience, photos);
  const { confirmed = audience, ...rest } = more;
  const number = kind === "post" ? post.number : undefined;
  const made = await call(maker, "POST", "/api/links", {
    payload: { kind, number, audience: confirmed, ...rest },
  });
  expect(made.statusCode, made.body).toBe(201);
  const { link, address } = made.json<{ link: SharedLink; address: string }>();
  return { post, link, path: new URL(address).pathname };
}

type Asked = { method?: "GET" | "HEAD" | "POST"; cookie?: string; agent?: string; body?: string };

/** A request of a guest, of the test's own network. */
const ask = (url: string, { method = "GET", cookie, agent = "Safari", body }: Asked = {}) =>
  app.inject({
    method,
    url,
    remoteAddress: `192.0.2.${network}`,
    headers: {
      accept: "text/html",
      "user-agent": agent,
      ...(cookie ? { cookie } : {}),
      ...(body ? { origin: "null", "content-type": "application/x-www-form-urlencoded" } : {}),
    },
    ...(body ? { payload: body } : {}),
  });

const cookieIn = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers["set-cookie"]].flat().map(String).join().split(";")[0] ?? "";

/** Opens the address, as a browser does: where it leads, and the cookie. */
async function open(path: string) {
  const answer = await ask(path);
  expect(answer.statusCode, answer.body).toBe(302);
  return { at: String(answer.headers.location), cookie: cookieIn(answer) };
}

const unlock = (at: string, cookie: string, password: string) =>
  ask(at, { method: "POST", cookie, body: `intent=unlock&password=${password}` });

const photosIn = (html: string, at: string) => [
  ...new Set(
    [...html.matchAll(new RegExp(`${at}/photos/([0-9a-f]{32})/\\d+\\.webp`, "g"))].map(
      ([, key]) => key ?? "",
    ),
  ),
];

/** The statuses of the page, a photo, a photo to save, and the zip. */
async function statuses(at: string, cookie: string, key: string): Promise<number[]> {
  const paths = [at, `${at}/photos/${key}/96.webp`, `${at}/save/${key}`, `${at}/photos.zip`];
  const answers = [];
  for (const path of paths) answers.push((await ask(path, { cookie })).statusCode);
  return answers;
}

const opened = [200, 200, 200, 200];
const gone = [410, 404, 404, 410];

async function openedLink(wanted: Wanted = {}) {
  const made = await linkTo({ downloads: true, ...wanted });
  const { at, cookie } = await open(made.path);
  const page = await ask(at, { cookie });
  const [key = ""] = photosIn(page.body, at);
  return { ...made, at, cookie, key, page };
}

describe("the address of a link", () => {
  test("becomes a cookie for this link alone, and is left behind", async () => {
    const { link, path } = await linkTo();
    expect(path).toMatch(/^\/l\/[\w-]{22}$/);
    const answer = await ask(path);
    expect(answer.headers.location).toBe(`/shared/${link.id}`);
    const [, token = ""] = path.split("/l/");
    const set = String(answer.headers["set-cookie"]);
    expect(set).toMatch(/^postcard\.link=/);
    expect(set).toContain(`Path=/shared/${link.id}; HttpOnly; SameSite=Lax`);
    const page = await ask(`/shared/${link.id}`, { cookie: cookieIn(answer) });
    expect(page.body).not.toContain(token);
    expect(Buffer.from(token, "base64url")).toHaveLength(16);
    const rows = await query(db, "select * from shared_links where id = $1", [link.id]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("opens on any number of devices", async () => {
    const { path } = await linkTo();
    for (let device = 0; device < 3; device += 1) {
      const { at, cookie } = await open(path);
      expect((await ask(at, { cookie })).statusCode).toBe(200);
    }
  });

  test("names itself to no other site, no search engine and no log", async () => {
    const { at, cookie, path, page, key } = await openedLink();
    const photo = await ask(`${at}/photos/${key}/96.webp`, { cookie });
    for (const { headers } of [await ask(path), page, photo, await ask(`${at}/photos.zip`)]) {
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["x-robots-tag"]).toBe("noindex");
    }
    expect(loggedPath(path)).toBe("/l/<link>");
    expect(loggedPath(`${path}/preview.webp`)).toBe("/l/<link>");
    expect(loggedPath(`${path}.data`.toUpperCase())).toBe("/L/<link>");
  });

  test("cannot be guessed: tries are counted by network, a right one costs nothing", async () => {
    const { path } = await linkTo();
    for (let time = 0; time < 60; time += 1) expect((await ask(path)).statusCode).toBe(302);
    const guess = () => ask(`/l/${"A".repeat(22)}`);
    for (let time = 0; time < 50; time += 1) expect((await guess()).statusCode).toBe(410);
    expect((await guess()).statusCode).toBe(429);
    expect((await ask(path)).statusCode).toBe(429);
    network += 1;
    expect((await ask(path)).statusCode).toBe(302);
  });
});

describe("without the cookie of this link", () => {
  test("nothing of it opens: neither its page nor a photo's copied address", async () => {
    const { at, cookie, key } = await openedLink();
    expect(await statuses(at, cookie, key)).toEqual(opened);
    expect(await statuses(at, "", key)).toEqual(gone);
  });

  test("the cookie of another link opens nothing", async () => {
    const one = await openedLink();
    const other = await openedLink();
    expect(await statuses(one.at, other.cookie, one.key)).toEqual(gone);
    // a photo of another post, with the cookie of this link
    expect((await ask(`${one.at}/photos/${other.key}/96.webp`, one)).statusCode).toBe(404);
  });
});

describe("a link ends", () => {
  test("at a press, at once, everywhere", async () => {
    const { at, cookie, key, link, path } = await openedLink();
    expect((await call(maker, "DELETE", `/api/links/${link.id}`)).statusCode).toBe(204);
    expect(await statuses(at, cookie, key)).toEqual(gone);
    expect((await ask(path)).statusCode).toBe(410);
    const { body } = await ask(at, { cookie });
    expect(body).toContain("This link has had its day");
    expect(body).not.toContain("Mara");
  });

  test("by itself, asked at every read", async () => {
    const { at, cookie, key, link, path } = await openedLink();
    const days = ((link.expiresAt ?? 0) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await query(db, "update shared_links set expires_at = now() - interval '1 s' where id = $1", [
      link.id,
    ]);
    expect(await statuses(at, cookie, key)).toEqual(gone);
    expect((await ask(path)).statusCode).toBe(410);
    expect((await call(maker, "GET", "/api/links")).json()).toEqual({ items: [] });
    await on.sharedLinks.sweep();
    expect(await query(db, "select 1 from shared_links where id = $1", [link.id])).toEqual([]);
  });

  const ends: Record<string, string> = {
    "is suspended": "update accounts set suspended_at = now() where id = $1",
    leaves: "update accounts set deleted_at = now() where id = $1",
    "narrows the post": "update posts set audience = 'close-friends' where author_id = $1",
    "keeps the post for themselves": "update posts set audience = 'only-me' where author_id = $1",
    "deletes the post": "delete from posts where author_id = $1",
  };
  test.each(Object.entries(ends))("when its maker %s", async (_how, statement) => {
    const { at, cookie, key } = await openedLink();
    await query(db, statement, [maker.id]);
    expect(await statuses(at, cookie, key)).toEqual(gone);
  });

  test("when its maker becomes private, unless followers were confirmed", async () => {
    const shown = await openedLink({ audience: "everyone" });
    const confirmed = await openedLink({ audience: "everyone", confirmed: "followers" });
    await setPrivate(db, maker);
    expect(await statuses(shown.at, shown.cookie, shown.key)).toEqual(gone);
    expect(await statuses(confirmed.at, confirmed.cookie, confirmed.key)).toEqual(opened);
  });
});

describe("what a link shows", () => {
  test("is never more than its maker confirmed", async () => {
    const post = await publish("followers");
    for (const audience of [undefined, "everyone"]) {
      const payload = { kind: "post", number: post.number, audience };
      const made = await call(maker, "POST", "/api/links", { payload });
      expect(made.json()).toMatchObject({ error: { code: "shared-link-audience" } });
    }
    const payload = { kind: "profile", audience: "only-me" };
    expect((await call(maker, "POST", "/api/links", { payload })).statusCode).toBe(409);
    const other = await on.member("Olga Other");
    const theirs = { kind: "post", number: post.number, audience: "only-me" };
    expect((await call(other, "POST", "/api/links", { payload: theirs })).statusCode).toBe(404);
  });

  const confirmed = ["everyone", "followers", "close-friends"] as const;
  test.each(confirmed)("of a profile: posts for %s and wider", async (audience) => {
    const captions = { everyone: "open sea", followers: "harbour", "close-friends": "boat" };
    for (const each of confirmed) await publish(each, 1, captions[each]);
    await publish("only-me", 1, "logbook");
    const { at, cookie } = await openedLink({ kind: "profile", audience });
    const { body } = await ask(at, { cookie });
    const seen = [...Object.values(captions), "logbook"].filter((text) => body.includes(text));
    expect(seen).toEqual(
      confirmed.slice(0, confirmed.indexOf(audience) + 1).map((each) => captions[each]),
    );
    const zip = await ask(`${at}/photos.zip`, { cookie });
    expect((await entriesOf(zip.rawPayload)).size).toBe(photosIn(body, at).length);
    expect(photosIn(body, at)).toHaveLength(seen.length + 1);
  });

  test("names nobody but its maker, and shows nobody else's words", async () => {
    const fan = await on.member("Fiona Fan");
    await addCloseFriend(db, maker, fan);
    await on.follows.follow(fan, maker.id);
    const { at, cookie, post } = await openedLink();
    await on.comments.add(fan, post, "What a day that was", null);
    await on.likes.like(fan, post);
    const { body } = await ask(at, { cookie });
    expect(body).toContain("Mara Maker");
    expect(body).toContain("1 like");
    for (const secret of ["Fiona", fan.id, fan.username, "What a day", maker.email]) {
      expect(body).not.toContain(secret);
    }
  });

  test("is stored by no cache on the way", async () => {
    const { at, cookie, key, page, path } = await openedLink();
    expect(page.headers["cache-control"]).toBe("private, no-store");
    expect((await ask(path)).headers["cache-control"]).toBe("private, no-store");
    const photo = await ask(`${at}/photos/${key}/96.webp`, { cookie });
    expect(photo.headers["cache-control"]).toBe("private, no-cache");
    const again = await app.inject({
      url: `${at}/photos/${key}/96.webp`,
      headers: { cookie, "if-none-match": String(photo.headers["etag"]) },
    });
    expect(again.statusCode).toBe(304);
    for (const file of [`${at}/save/${key}`, `${at}/photos.zip`]) {
      expect((await ask(file, { cookie })).headers["cache-control"]).toBe("private, no-store");
    }
  });

  test("can be downloaded only where its maker allows it", async () => {
    const { at, cookie, key } = await openedLink({ downloads: false });
    expect(await statuses(at, cookie, key)).toEqual([200, 200, 404, 404]);
  });
});

describe("a link with a password", () => {
  test("opens with it alone, also each photo", async () => {
    const { path, at, cookie, page } = await openedLink({ password: "lighthouse" });
    expect(page.body).toContain("This one is sealed");
    expect(page.body).not.toContain("Mara");
    const right = await unlock(at, cookie, "lighthouse");
    expect(right.statusCode, right.body).toBe(302);
    const proven = cookieIn(right);
    const shown = await ask(at, { cookie: proven });
    const [key = ""] = photosIn(shown.body, at);
    expect(await statuses(at, proven, key)).toEqual(opened);
    // a copied address with the address of the link, but without its password
    expect(await statuses(at, cookie, key)).toEqual([200, 404, 404, 410]);
    expect((await open(path)).at).toBe(at);
  });

  test("counts wrong ones, and then refuses the right one, too", async () => {
    const { at, cookie } = await openedLink({ password: "lighthouse" });
    for (let time = 0; time < 10; time += 1) {
      const wrong = await unlock(at, cookie, "lantern");
      expect(wrong.statusCode).toBe(403);
      expect(wrong.headers["set-cookie"]).toBeUndefined();
    }
    network += 1;
    expect((await unlock(at, cookie, "lighthouse")).statusCode).toBe(429);
  });

  test("takes no proof of another link's password", async () => {
    const one = await openedLink({ password: "lighthouse" });
    const other = await openedLink({ password: "lighthouse" });
    const proven = cookieIn(await unlock(other.at, other.cookie, "lighthouse"));
    const [, proof = ""] = decodeURIComponent(proven).split(".").slice(1);
    const forged = one.cookie.replace(/\.(?:new)?$/, "").replace(/\.$/, `.${proof}.`);
    expect((await ask(one.at, { cookie: forged })).body).toContain("This one is sealed");
  });
});

const openings = async () =>
  (await call(maker, "GET", "/api/links")).json<{ items: SharedLink[] }>().items[0]?.opened;

describe("openings", () => {
  test("are counted once for each browser that looks", async () => {
    const { path } = await linkTo();
    expect(await openings()).toBe(0);
    for (const count of [1, 2]) {
      const { at, cookie } = await open(path);
      const first = await ask(at, { cookie });
      await ask(at, { cookie: cookieIn(first) });
      expect(await openings()).toBe(count);
    }
  });

  test("are not what a HEAD, a messenger or a program without cookies does", async () => {
    const { path, link } = await linkTo({ previews: true });
    for (const agent of [
      "WhatsApp/2.23",
      "facebookexternalhit/1.1",
      "TelegramBot (like Twitter)",
    ]) {
      expect((await ask(path, { agent })).statusCode).toBe(200);
    }
    await ask(path, { method: "HEAD" });
    const { at, cookie } = await open(path);
    await ask(at);
    await ask(at, { method: "HEAD", cookie });
    expect(await openings()).toBe(0);
    expect(link.opened).toBe(0);
  });
});

describe("the preview in a messenger", () => {
  const agent = "WhatsApp/2.23";

  test("says nothing unless its maker allows it", async () => {
    const { path } = await linkTo();
    const { body } = await ask(path, { agent });
    expect(body).not.toContain("Mara");
    expect(body).not.toContain("og:image");
    expect((await ask(`${path}/preview.webp`)).statusCode).toBe(404);
  });

  test("has the name and the first photo, and behind a password the name alone", async () => {
    const { path } = await linkTo({ previews: true });
    const { body } = await ask(path, { agent });
    expect(body).toContain("Mara Maker");
    expect(body).toContain(`${path}/preview.webp`);
    expect((await ask(`${path}/preview.webp`)).headers["content-type"]).toBe("image/webp");
    const sealed = await linkTo({ previews: true, password: "lighthouse" });
    expect((await ask(sealed.path, { agent })).body).toContain("Mara Maker");
    expect((await ask(sealed.path, { agent })).body).not.toContain("og:image");
    expect((await ask(`${sealed.path}/preview.webp`)).statusCode).toBe(404);
  });
});

/** The names and bytes in a zip. */
async function entriesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}

describe("a zip", () => {
  test("holds the photos of the page and nothing of where they were taken", async () => {
    const path = join(on.folder, "on-the-pier.jpg");
    const gps = { GPSLatitudeRef: "N", GPSLatitude: "53/1 32/1 0/1" };
    const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } });
    await drawn.withExif({ IFD3: gps }).jpeg().toFile(path);
    expect((await sharp(path).metadata()).exif).toBeDefined();
    const pictures = [];
    for (let i = 0; i < 3; i += 1) {
      const { imageId } = await on.images.upload(maker, { path });
      pictures.push({ imageId, alt: "" });
    }
    const { number } = await on.publish(maker, { pictures, showPlace: true });
    const payload = { kind: "post", number, downloads: true };
    const made = (await call(maker, "POST", "/api/links", { payload })).json<{ address: string }>();
    const { at, cookie } = await open(new URL(made.address).pathname);
    const page = await ask(at, { cookie });
    const zip = await ask(`${at}/photos.zip`, { cookie });
    expect(zip.headers["content-type"]).toBe("application/zip");
    const entries = await entriesOf(zip.rawPayload);
    expect(entries.size).toBe(3);
    const saved = [];
    for (const key of photosIn(page.body, at)) {
      saved.push((await ask(`${at}/save/${key}`, { cookie })).rawPayload);
    }
    expect([...entries.values()]).toEqual(saved);
    for (const bytes of saved) {
      const { exif, xmp, iptc } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
    }
  });

  test("for fifty guests at once: a few are served, the others are asked to wait, pages go on", async () => {
    const { at, cookie } = await openedLink({ photos: 10 });
    const before = process.memoryUsage().rss;
    const guests = Array.from({ length: 50 }, (_, guest) =>
      app.inject({
        url: `${at}/photos.zip`,
        headers: { cookie },
        remoteAddress: `198.51.100.${guest + 1}`,
      }),
    );
    const page = await ask(at, { cookie });
    expect(page.statusCode).toBe(200);
    const answers = await Promise.all(guests);
    const served = answers.filter(({ statusCode }) => statusCode === 200);
    const waiting = answers.filter(({ statusCode }) => statusCode === 503);
    expect(served.length + waiting.length).toBe(50);
    expect(served.length).toBeGreaterThan(0);
    expect(waiting.length).toBeGreaterThan(0);
    for (const { headers } of waiting) expect(headers["retry-after"]).toBe("60");
    for (const { rawPayload } of served) expect((await entriesOf(rawPayload)).size).toBe(10);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
    // every place was given back
    for (let time = 0; time <= limits.sharedLinks.zips.ofAll; time += 1) {
      expect((await ask(`${at}/photos.zip`, { cookie })).statusCode).toBe(200);
    }
  });
});

const report = (at: string, cookie: string, fields: Record<string, string>) =>
  ask(at, {
    method: "POST",
    cookie,
    body: new URLSearchParams({ intent: "report", ...fields }).toString(),
  });

describe("a guest reports", () => {
  test("what the link shows, and nothing else", async () => {
    const { at, cookie, post } = await openedLink();
    const hidden = await publish("only-me");
    const fields = { reason: "privacy", words: "That is my garden" };
    const sent = await report(at, cookie, { ...fields, post: post.postId });
    expect(sent.body).toContain("Moderators will look at it.");
    expect((await report(at, cookie, { ...fields, post: hidden.postId })).statusCode).toBe(410);
    expect((await report(at, "", { ...fields, post: post.postId })).statusCode).toBe(410);
    const { items } = await on.moderation.queue(null, null);
    const cases = items.filter(({ account }) => account.id === maker.id);
    expect(cases).toMatchObject([{ subject: "post", reports: 1, reasons: ["privacy"] }]);
    expect(await on.moderation.find(null, cases[0]?.id ?? "")).toMatchObject({
      reportedBy: [],
      reportedByGuests: [{ reason: "privacy", words: "That is my garden" }],
    });
  });

  test("with words where the reason is another one, which come back", async () => {
    const { at, cookie } = await openedLink({ kind: "profile" });
    const refused = await report(at, cookie, { post: "", reason: "other", words: "" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Please say what&#x27;s wrong.");
  });

  test("some times an hour, counted by network", async () => {
    const { at, cookie } = await openedLink({ kind: "profile" });
    const fields = { post: "", reason: "spam", words: "" };
    for (let time = 0; time < 10; time += 1) {
      expect((await report(at, cookie, fields)).statusCode).toBe(200);
    }
    expect((await report(at, cookie, fields)).statusCode).toBe(429);
  });
});

describe("a member's links", () => {
  test("are a hundred at most, and few in an hour", async () => {
    const { number } = await publish("everyone");
    const payload = { kind: "post", number };
    for (let time = 0; time < limits.writes.links.perHour; time += 1) {
      expect((await call(maker, "POST", "/api/links", { payload })).statusCode).toBe(201);
    }
    expect((await call(maker, "POST", "/api/links", { payload })).statusCode).toBe(429);
    await query(
      db,
      `insert into shared_links (account_id, id, token_hash, kind, audience)
       select $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'profile', 'everyone'
       from generate_series(1, 70)`,
      [maker.id],
    );
    const full = await call(maker, "POST", "/api/links", { payload });
    expect(full.json()).toMatchObject({ error: { code: "shared-links-full" } });
  });

  test("end on the day that was chosen, never, or in the time that was", async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const dated = await linkTo({ lasts: "date", until: tomorrow });
    expect(dated.link.expiresAt).toBe(Date.parse(`${tomorrow}T23:59:59Z`));
    expect((await linkTo({ lasts: "never" })).link.expiresAt).toBeNull();
    const { number } = await publish("everyone");
    for (const until of ["", "2020-01-01", "2999-01-01"]) {
      const payload = { kind: "post", number, lasts: "date", until };
      const refused = await call(maker, "POST", "/api/links", { payload });
      expect(refused.json()).toMatchObject({ error: { fields: { until: expect.any(String) } } });
    }
  });

  test("are ended by nobody else", async () => {
    const { link } = await linkTo();
    const other = await on.member("Olga Other");
    expect((await call(other, "DELETE", `/api/links/${link.id}`)).statusCode).toBe(404);
    expect((await call(maker, "GET", "/api/links")).json()).toMatchObject({
      items: [{ id: link.id }],
    });
  });
});
