import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { writeCursor } from "#server/platform/db/cursors.ts";
import {
  findLink,
  findPhoto,
  postsOf,
  type FoundLink,
} from "#server/features/links/guests.queries.ts";
import { findProfile } from "#server/features/people/profiles/profiles.queries.ts";
import {
  insertAccounts,
  insertAlbum,
  insertPhotoPosts,
  type InsertedAlbum,
} from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costOf, sentBy } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { AlbumOrder } from "#shared/albums.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time: links to albums and profiles of 70 photos and of 1,000, and an account with albums that
 * are for nobody who asks.
 */
let db: Database;
let small: InsertedAlbum;
let large: InsertedAlbum;
let profiles: Record<"few" | "many", Viewer>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const [one, two, ...others] = (await insertAccounts(db, 12)) as [Viewer, Viewer, ...Viewer[]];
  for (const owner of others) await insertAlbum(db, owner, 300);
  small = await insertAlbum(db, one, 70);
  large = await insertAlbum(db, two, 1000);
  await query(db, "update album_members set shown_to_guests = true");
  const [few, many] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  await insertPhotoPosts(db, [few], 70);
  await insertPhotoPosts(db, [many], 1000);
  profiles = { few, many };
  await query(db, "delete from home_pending");
  await query(db, "vacuum analyze");
});

/** A link to an album, or without one to the profile. */
async function linkTo({ ownerId, albumId }: { ownerId: string; albumId?: string }) {
  const album = albumId === undefined ? ["profile", null, null] : ["album", albumId, "members"];
  const id = newId();
  await query(
    db,
    `insert into shared_links (account_id, id, token_hash, kind, album_id, album_audience, audience)
    values ($1, $2::uuid, sha256($2::uuid::text::bytea), $3, $4, $5, 'everyone')`,
    [ownerId, id, ...album],
  );
  const link = await findLink(db, { id });
  if (!link) throw new Error("it does not open");
  return link;
}

/** Buffers of what a read sends, with the more expensive of both kinds of plan; none reads all of what grows. */
async function costsOf(read: (on: Database) => Promise<unknown>): Promise<number> {
  const sent = await sentBy(db, read);
  const totals: number[] = [];
  for (const plan of ["generic", "custom"] as const) {
    let total = 0;
    for (const [nth, statement] of sent.entries()) {
      const { buffers, scans } = await costOf(db, `read-${nth}`, statement, plan);
      for (const scan of scans) expect(scan).not.toMatch(/^(posts|images|album_items): Seq Scan/);
      total += buffers;
    }
    totals.push(total);
  }
  return Math.max(...totals);
}

const page = (link: FoundLink, cursor: string | null) => async (on: Database) => {
  const rows = await postsOf(on, link, { cursor, limit: 61 });
  expect(rows).toHaveLength(61);
  return rows;
};

test.each(["manual", "date"] as const)(
  "a page of a link to an album of 1,000 photos by %s costs the page",
  async (order: AlbumOrder) => {
    await query(db, "update albums set sorted = $1", [order]);
    const cost = async (album: InsertedAlbum, from: "start" | "on") => {
      const link = await linkTo(album);
      const rows = await postsOf(db, link, { cursor: null, limit: 6 });
      const cursor = from === "on" ? writeCursor(rows[5]?.key ?? []) : null;
      return costsOf(page(link, cursor));
    };
    for (const from of ["start", "on"] as const) {
      expect(await cost(large, from)).toBeLessThanOrEqual(1.3 * (await cost(small, from)));
    }
  },
);

test("a page of a link to a profile of 1,000 photos costs the page", async () => {
  const few = await costsOf(page(await linkTo({ ownerId: profiles.few.id }), null));
  const many = await costsOf(page(await linkTo({ ownerId: profiles.many.id }), null));
  expect(many).toBeLessThanOrEqual(1.3 * few);
});

/** Of the first photo that a link to an album shows. */
async function costOfPhoto(album: InsertedAlbum): Promise<number> {
  const link = await linkTo(album);
  const [{ item } = { item: null }] = await postsOf(db, link, { cursor: null, limit: 1 });
  const key = item?.pictures[0]?.key ?? "";
  const asked = { id: link.id, tokenHash: link.tokenHash, key };
  return costsOf(async (on) => expect(await findPhoto(on, asked)).toMatchObject({ key }));
}

test("a photo of an album costs the same, however many there are", async () => {
  expect(await costOfPhoto(large)).toBeLessThanOrEqual(1.3 * (await costOfPhoto(small)));
});

test.each(["members", "followers"] as const)(
  "a profile with a hundred albums for %s costs hardly more than one without, for who may see none",
  async (audience) => {
    const [owner, reader] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
    const cost = () =>
      costsOf(async (on) =>
        expect((await findProfile(on, reader.id, owner.id))?.hasAlbums).toBe(false),
      );
    const without = await cost();
    await query(
      db,
      `insert into albums (owner_id, id, title, audience)
      select $1, gen_random_uuid(), 'Summer', $2 from generate_series(1, 100)`,
      [owner.id, audience],
    );
    await query(db, "vacuum analyze albums");
    expect((await cost()) - without).toBeLessThanOrEqual(12);
  },
);
