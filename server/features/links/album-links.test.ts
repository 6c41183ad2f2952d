import { beforeEach, describe, expect, test } from "vitest";
import { entriesOf, gone, guestTest, opened, photosIn } from "#server/test/guests.ts";
import { query } from "#server/test/query.ts";
import type { AlbumAudience, AlbumOrder } from "#shared/albums.ts";
import type { Audience } from "#shared/posts.ts";
import { guestPath } from "#shared/shared-links.ts";
import type { AlbumPhoto, Viewer } from "#shared/views.ts";

/* What guests see of an album: at its page, the page of each photo, the photo itself and the zip. */
const { db, on, call, here, begin, ask, open, makeLink, statuses } = await guestTest();

let cora: Viewer;
let albumId: string;

beforeEach(async () => {
  await begin();
  cora = await on.member("Cora Contributor");
  await on.follows.follow(cora, here.maker.id);
});

async function newAlbum(audience: AlbumAudience = "members", order: AlbumOrder = "manual") {
  const words = { title: "Two weeks by the sea", description: "Salt in everything." };
  albumId = (await on.albums.create(here.maker, { ...words, audience, order })).id;
  await on.albumMembers.put(here.maker, albumId, cora.username, "contributor");
}

async function add(by: Viewer, caption = ""): Promise<AlbumPhoto> {
  const imageId = await on.upload(by);
  return on.albums.addPhoto(by, albumId, { imageId, caption, clientKey: null });
}

async function put(by: Viewer, audience: Audience): Promise<{ id: string; number: number }> {
  const pictures = [{ imageId: await on.upload(by), alt: "" }];
  const { postId: id, number } = await on.publish(by, { pictures, audience });
  await on.albums.putPost(by, albumId, { address: by.username, number });
  return { id, number };
}

const allow = (shownToGuests: boolean) =>
  call(cora, "PUT", `/api/albums/${albumId}/membership`, { payload: { shownToGuests } });

type Confirmed = { albumAudience?: AlbumAudience; audience?: Audience };

async function openLink({ albumAudience = "members", audience = "everyone" }: Confirmed = {}) {
  const payload = { kind: "album", album: albumId, albumAudience, audience, downloads: true };
  const { link, path } = await makeLink(here.maker, payload);
  return { link, path, ...(await open(path)) };
}

/** What each place shows: the ids on the page, whose own pages open, those a script reads, and the zip's photos. */
async function shownBy({ at, cookie }: { at: string; cookie: string }, ids: readonly string[]) {
  const { body } = await ask(at, { cookie });
  const json = (await ask(`${at}/page.json`, { cookie })).json<{ items?: { id: string }[] }>();
  const alone = [];
  for (const id of ids) {
    const page = await ask(`${at}?photo=${id}`, { cookie });
    if (page.statusCode === 200) alone.push(id);
  }
  const zip = await ask(`${at}/photos.zip`, { cookie });
  return {
    page: ids.filter((id) => body.includes(`?photo=${id}`)),
    script: json.items?.map(({ id }) => id) ?? [],
    alone,
    photos: photosIn(body, at).length,
    zipped: zip.statusCode === 200 ? (await entriesOf(zip.rawPayload)).size : 0,
  };
}

const everywhere = (ids: readonly string[]) => ({
  page: ids,
  script: ids,
  alone: ids,
  photos: ids.length,
  zipped: ids.length,
});

const keyOf = ({ picture }: AlbumPhoto) => picture?.key ?? "";

describe("a link to an album", () => {
  test("shows its title, its words and its maker's photos in its order, and names nobody else", async () => {
    await newAlbum();
    const [one, two] = [await add(here.maker, "The pier"), await add(here.maker, "The ferry")];
    const theirs = await add(cora);
    await allow(true);
    await on.albums.move(here.maker, albumId, { item: two.id, after: null });
    const guest = await openLink();
    const { body } = await ask(guest.at, { cookie: guest.cookie });
    for (const text of ["Two weeks by the sea", "Salt in everything.", "Mara Maker"]) {
      expect(body).toContain(text);
    }
    for (const secret of ["Cora", cora.id, cora.username]) expect(body).not.toContain(secret);
    const ids = [two.id, one.id, theirs.id];
    expect(await shownBy(guest, ids)).toMatchObject({ page: ids, script: ids });
    const alone = await ask(`${guest.at}?photo=${one.id}`, guest);
    expect(alone.body).toContain("The pier");
    expect(alone.body).toContain(`?photo=${theirs.id}`);
    expect(alone.body).not.toContain("The ferry");
  });

  test("lets a guest report it: its title, its words, who shares it, or a photo", async () => {
    await newAlbum();
    const photo = await add(here.maker);
    const { at, cookie } = await openLink();
    for (const post of ["album", "", photo.id]) {
      const fields = { intent: "report", post, reason: "spam", words: "" };
      const sent = await ask(at, {
        method: "POST",
        cookie,
        body: new URLSearchParams(fields).toString(),
      });
      expect(sent.statusCode).toBe(200);
    }
    const { items } = await on.moderation.queue(null, null);
    const subjects = items
      .filter(({ account }) => account.id === here.maker.id)
      .map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(["account", "album", "post"]);
  });

  test("shows no more than its maker confirmed, which has to be as narrow as the album", async () => {
    await newAlbum("followers");
    const payload = { kind: "album", album: albumId };
    for (const albumAudience of [undefined, "everyone"]) {
      const made = await call(here.maker, "POST", "/api/links", {
        payload: { ...payload, albumAudience },
      });
      expect(made.json()).toMatchObject({ error: { code: "shared-link-audience" } });
    }
    const theirs = { ...payload, albumAudience: "members" };
    const made = await call(cora, "POST", "/api/links", { payload: theirs });
    expect(made.statusCode).toBe(404);
    await add(here.maker);
    const guest = await openLink({ albumAudience: "followers" });
    expect((await ask(guest.at, guest)).statusCode).toBe(200);
  });

  test("is paged, and its end is asked for at each page", async () => {
    await newAlbum("members", "date");
    const ids = [];
    for (let nth = 0; nth < 62; nth += 1) ids.push((await add(here.maker)).id);
    const { link, at, cookie } = await openLink();
    const { body } = await ask(at, { cookie });
    const [, cursor = ""] = /cursor=([\w-]+)"/.exec(body) ?? [];
    const second = await ask(`${at}?cursor=${cursor}`, { cookie });
    expect(second.body).toContain(`?photo=${ids[60]}"`);
    expect(second.body).not.toContain(`?photo=${ids[59]}"`);
    const more = await ask(`${at}/page.json?cursor=${cursor}`, { cookie });
    expect(more.json<{ items: { id: string }[] }>().items.map(({ id }) => id)).toEqual(
      ids.slice(60),
    );
    expect((await ask(`${at}/page.json`)).statusCode).toBe(410);
    await on.sharedLinks.end(here.maker, link.id);
    for (const path of [`?cursor=${cursor}`, `?photo=${ids[1]}`, `/page.json?cursor=${cursor}`]) {
      expect((await ask(at + path, { cookie })).statusCode, path).toBe(410);
    }
  });
});

describe("a contributor's photos", () => {
  test("are shown while they allow it, and gone at the next request once they don't", async () => {
    await newAlbum();
    const [own, theirs] = [await add(here.maker), await add(cora)];
    const guest = await openLink();
    const { at, cookie } = guest;
    const ids = [own.id, theirs.id];
    const photo = () => statuses(at, cookie, keyOf(theirs));
    expect(await shownBy(guest, ids)).toEqual(everywhere([own.id]));
    expect(await photo()).toEqual([200, 404, 404, 200]);
    expect((await allow(true)).statusCode).toBe(204);
    expect(await shownBy(guest, ids)).toEqual(everywhere(ids));
    expect(await photo()).toEqual(opened);
    await allow(false);
    expect(await shownBy(guest, ids)).toEqual(everywhere([own.id]));
    expect(await photo()).toEqual([200, 404, 404, 200]);
  });

  test("can be allowed while one joins, by nobody but themselves", async () => {
    await newAlbum();
    const dora = await on.member("Dora Deckhand");
    const { token } = await on.albumMembers.makeLink(here.maker, albumId, "contributor");
    await call(dora, "POST", "/api/albums/join", { payload: { token, shownToGuests: true } });
    expect((await on.albumMembers.list(dora, albumId)).shownToGuests).toBe(true);
    expect((await on.albumMembers.list(cora, albumId)).shownToGuests).toBe(false);
    const payload = { shownToGuests: true };
    const owner = await call(here.maker, "PUT", `/api/albums/${albumId}/membership`, { payload });
    expect(owner.statusCode).toBe(404);
  });

  const losses: Record<string, (photo: AlbumPhoto) => Promise<unknown>> = {
    "when they leave": () => on.albumMembers.leave(cora, albumId),
    "when they are removed": () => on.albumMembers.remove(here.maker, albumId, cora.username),
    "when they are blocked": () => on.blocks.block(here.maker, cora.id),
    "when they block": () => on.blocks.block(cora, here.maker.id),
    "when they are suspended": () =>
      query(db, "update accounts set suspended_at = now() where id = $1", [cora.id]),
    "when they leave the site": () =>
      query(db, "update accounts set deleted_at = now() where id = $1", [cora.id]),
    "when they narrow it": ({ number }) =>
      on.posts.edit(cora, cora.username, number, { version: 0, audience: "followers" }),
    "when it is taken out": ({ number }) =>
      on.albums.takeOut(here.maker, albumId, { address: cora.username, number }),
    "when it is deleted": ({ number }) => on.posts.remove(cora, cora.username, number),
  };
  test.each(Object.keys(losses))("are gone %s", async (how) => {
    await newAlbum();
    const [own, theirs] = [await add(here.maker), await add(cora)];
    await allow(true);
    const guest = await openLink();
    const ids = [own.id, theirs.id];
    expect(await shownBy(guest, ids)).toEqual(everywhere(ids));
    await losses[how]?.(theirs);
    expect(await shownBy(guest, ids)).toEqual(everywhere([own.id]));
    expect(await statuses(guest.at, guest.cookie, keyOf(theirs))).toEqual([200, 404, 404, 200]);
  });

  test("who come back are asked again", async () => {
    await newAlbum();
    await allow(true);
    await on.albumMembers.leave(cora, albumId);
    await on.albumMembers.put(here.maker, albumId, cora.username, "contributor");
    expect((await on.albumMembers.list(cora, albumId)).shownToGuests).toBe(false);
  });
});

describe("an album ends for guests", () => {
  const ends: Record<string, () => Promise<unknown>> = {
    "when it is narrowed": () => on.albums.edit(here.maker, albumId, { audience: "members" }),
    "when it is deleted": () => on.albums.remove(here.maker, albumId, "keep"),
    "when its maker becomes private": () => on.privacy.set(here.maker, true),
    "when its maker is suspended": () =>
      query(db, "update accounts set suspended_at = now() where id = $1", [here.maker.id]),
  };
  test.each(Object.keys(ends))("%s", async (how) => {
    await newAlbum("everyone");
    const photo = await add(here.maker);
    const { at, cookie, path } = await openLink({ albumAudience: "everyone" });
    expect(await statuses(at, cookie, keyOf(photo))).toEqual(opened);
    await ends[how]?.();
    expect(await statuses(at, cookie, keyOf(photo))).toEqual(gone);
    expect((await ask(path)).statusCode).toBe(410);
  });
});

test("posts that were put in keep their audience, and only their authors widen it", async () => {
  await newAlbum("everyone");
  const own = {
    everyone: await put(here.maker, "everyone"),
    followers: await put(here.maker, "followers"),
  };
  const close = await put(here.maker, "close-friends");
  const theirs = { everyone: await put(cora, "everyone"), followers: await put(cora, "followers") };
  const ids = [
    own.everyone.id,
    own.followers.id,
    close.id,
    theirs.everyone.id,
    theirs.followers.id,
  ];
  const confirmed = { albumAudience: "everyone" } as const;
  const [wide, narrow] = [
    await openLink(confirmed),
    await openLink({ ...confirmed, audience: "followers" }),
  ];
  expect(await shownBy(wide, ids)).toEqual(everywhere([own.everyone.id]));
  expect(await shownBy(narrow, ids)).toEqual(everywhere([own.everyone.id, own.followers.id]));
  await allow(true);
  const allowed = [own.everyone.id, own.followers.id, theirs.everyone.id];
  expect(await shownBy(narrow, ids)).toEqual(everywhere(allowed));
});

test("its maker is asked about what it would show", async () => {
  await newAlbum();
  await add(here.maker);
  await add(cora);
  await put(here.maker, "followers");
  await put(cora, "followers");
  const others = { shown: 0, hidden: 2 };
  const own = expect.arrayContaining([
    { audience: "album", posts: 1 },
    { audience: "followers", posts: 1 },
  ]);
  expect(await on.sharedLinks.albumOf(here.maker, albumId)).toMatchObject({ own, others });
  await allow(true);
  expect(await on.sharedLinks.albumOf(here.maker, albumId)).toMatchObject({
    others: { shown: 1, hidden: 1 },
  });
});

test("guests report a contributor's photo as its author's", async () => {
  await newAlbum();
  const theirs = await add(cora);
  await allow(true);
  const { at, cookie, link } = await openLink();
  const fields = { intent: "report", post: theirs.id, reason: "privacy", words: "That is me" };
  const body = new URLSearchParams(fields).toString();
  const sent = await ask(`${guestPath(link.id)}?photo=${theirs.id}`, {
    method: "POST",
    cookie,
    body,
  });
  expect(sent.body).toContain("Moderators will look at it.");
  const { items } = await on.moderation.queue(null, null);
  expect(items.filter(({ account }) => account.id === cora.id)).toHaveLength(1);
  await allow(false);
  expect((await ask(at, { method: "POST", cookie, body })).statusCode).toBe(410);
});
