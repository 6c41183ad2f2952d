import { beforeEach, describe, expect, test } from "vitest";
import { addCloseFriend, setPrivate } from "#server/test/audiences.ts";
import { entriesOf, gone, guestTest, opened, photosIn } from "#server/test/guests.ts";
import { query } from "#server/test/query.ts";

/*
 * What somebody without an account sees by a link, at its page, its photos and its zip: the same at each of them.
 */
const { db, app, on, call, here, begin, publish, ask, statuses, openedLink } = await guestTest();

beforeEach(begin);

describe("a link ends", () => {
  test("at a press, at once, everywhere", async () => {
    const { at, cookie, key, link, path } = await openedLink();
    expect((await call(here.maker, "DELETE", `/api/links/${link.id}`)).statusCode).toBe(204);
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
    expect((await call(here.maker, "GET", "/api/links")).json()).toEqual({ items: [] });
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
    await query(db, statement, [here.maker.id]);
    expect(await statuses(at, cookie, key)).toEqual(gone);
  });

  test("when its maker becomes private, unless followers were confirmed", async () => {
    const shown = await openedLink({ audience: "everyone" });
    const confirmed = await openedLink({ audience: "everyone", confirmed: "followers" });
    await setPrivate(db, here.maker);
    expect(await statuses(shown.at, shown.cookie, shown.key)).toEqual(gone);
    expect(await statuses(confirmed.at, confirmed.cookie, confirmed.key)).toEqual(opened);
  });
});

describe("what a link shows", () => {
  test("is never more than its maker confirmed", async () => {
    const post = await publish("followers");
    for (const audience of [undefined, "everyone"]) {
      const payload = { kind: "post", number: post.number, audience };
      const made = await call(here.maker, "POST", "/api/links", { payload });
      expect(made.json()).toMatchObject({ error: { code: "shared-link-audience" } });
    }
    const payload = { kind: "profile", audience: "only-me" };
    expect((await call(here.maker, "POST", "/api/links", { payload })).statusCode).toBe(409);
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
    await addCloseFriend(db, here.maker, fan);
    await on.follows.follow(fan, here.maker.id);
    const { at, cookie, post } = await openedLink();
    await on.comments.add(fan, post, "What a day that was", null);
    await on.likes.like(fan, post);
    const { body } = await ask(at, { cookie });
    expect(body).toContain("Mara Maker");
    expect(body).toContain("1 like");
    for (const secret of ["Fiona", fan.id, fan.username, "What a day", here.maker.email]) {
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
    const cases = items.filter(({ account }) => account.id === here.maker.id);
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
