import { beforeEach, describe, expect, test } from "vitest";
import { loggedPath } from "#server/http/logging.ts";
import { cookieIn, gone, guestTest, opened, photosIn } from "#server/test/guests.ts";
import { query } from "#server/test/query.ts";
import type { SharedLink } from "#shared/shared-links.ts";

/* How a guest gets in: by an address, its cookie, and a password where there is one. */
const { db, call, here, begin, linkTo, ask, open, statuses, openedLink } = await guestTest();

beforeEach(begin);

const unlock = (at: string, cookie: string, password: string) =>
  ask(at, { method: "POST", cookie, body: `intent=unlock&password=${password}` });

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
    here.network += 1;
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
    here.network += 1;
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
  (await call(here.maker, "GET", "/api/links")).json<{ items: SharedLink[] }>().items[0]?.opened;

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
