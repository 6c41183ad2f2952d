import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { CameraView } from "#shared/photo-details.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { visibleAccount } from "#server/features/people/index.ts";

/** An image whose files are stored under `key`. */
export type StoredImage = {
  key: string;
  width: number;
  height: number;
  widths: number[];
  thumbhash: Buffer;
  bytes: number;
  media_type: string;
};

/** One that grids show, too: how much of what is cropped there is cropped at its beginning, percent. */
export type ServedImage = StoredImage & { focus: number | null };

/** What alone may use an unused image: an album, an import, or whatever its account likes. */
export type ReservedFor = { albumId?: string | null; importId?: string | null };

export type NewImage = ServedImage & {
  account_id: string;
  id: string;
  draft_until: Date | null;
  album_id: string | null;
  import_id: string | null;
  frames: number | null;
  moving_width: number | null;
  avif_widths: number[] | null;
  camera: CameraView | null;
  latitude: number | null;
  longitude: number | null;
};

/**
 * How many uploads of an account are unused; other transactions for it wait here until this one ends, so
 * that many at once are counted one after the other. Index images_unclaimed_by_account.
 */
export async function countUnclaimed(db: Database, accountId: string): Promise<number> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${accountId}`}, 0))`);
  return db.scalar<number>(sql`
    select count(*)::integer as count from images
    where account_id = ${accountId} and claimed_at is null
  `);
}

/** An image of the account by its id or its key. Primary key; unique index on images.key. */
export async function findOwnImage(
  db: Database,
  accountId: string,
  { id, key }: { id?: string; key?: string },
): Promise<{ id: string; key: string; widths: number[] } | null> {
  const which = id === undefined ? sql`key = ${key ?? ""}` : sql`id = ${id}`;
  return db.first<{ id: string; key: string; widths: number[] }>(sql`
    select id, key, widths from images where account_id = ${accountId} and ${which}
  `);
}

/** Primary key. */
export async function isModerator(db: Database, accountId: string): Promise<boolean> {
  const [row] = await db.query<{ role: string }>(sql`
    select a.role from accounts a where a.id = ${accountId} and ${visibleAccount("a")}
  `);
  return row?.role === "moderator";
}

export const insertImage = (db: Database, image: NewImage) =>
  db.run(sql`insert into images ${sql.row(image)}`);

/**
 * How many of these are unused images of this account, which no other album or import waits for. Retains the parts
 * of their camera data that are named. Primary key.
 */
export const claimImages = (
  db: Database,
  accountId: string,
  ids: readonly string[],
  {
    camera,
    location,
    albumId,
    importId,
  }: Required<ReservedFor> & {
    camera: boolean;
    location: boolean;
  },
) =>
  db.count(sql`
    update images
    set
      claimed_at = now(),
      album_id = null,
      import_id = null,
      camera = case when ${camera}::boolean then camera end,
      latitude = case when ${location}::boolean then latitude end,
      longitude = case when ${location}::boolean then longitude end
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and claimed_at is null
      and (album_id is null or album_id = ${albumId}::uuid)
      and (import_id is null or import_id = ${importId}::uuid)
    returning id
  `);

/**
 * Sets the focal point of an image; the square of grids follows, as near as the edges allow. Where nothing
 * has to be cropped, it stays. Primary key.
 */
export async function writeFocalPoint(
  db: Database,
  accountId: string,
  imageId: string,
  [x, y]: readonly [number, number],
): Promise<void> {
  // Along the long side: how far the point is from its beginning, then where the square around it begins.
  const at = sql`(case when width > height then ${x}::real else - ${y}::real end + 1) / 2`;
  const long = sql`greatest(width, height)`;
  const square = sql`least(width, height)`;
  await db.run(sql`
    update images set focal_x = ${x}::real, focal_y = ${y}::real,
      focus = case when width = height then focus else
        greatest(0, least(100, round(100 * (${at} * ${long} - ${square} / 2.0) / (${long} - ${square}))))
      end
    where account_id = ${accountId} and id = ${imageId}
  `);
}

/** Deletes the rows unused since `before`, drafts when they expire; their keys. Index images_unclaimed. */
export const deleteUnclaimed = (db: Database, before: Date, now: Date) =>
  db.column<string>(sql`
    delete from images
    where claimed_at is null and created_at < ${before}
      and (draft_until is null or draft_until < ${now})
    returning key
  `);

/** Deletes unused images of an account's drafts from before a moment, oldest first; their keys. */
export const deleteOldestDrafts = (
  db: Database,
  accountId: string,
  { before, most }: { before: Date; most: number },
) =>
  db.column<string>(sql`
    delete from images
    where account_id = ${accountId} and id in (
      select id from images
      where account_id = ${accountId} and claimed_at is null
        and draft_until is not null and created_at < ${before}
      order by id
      limit ${most}
    )
    returning key
  `);

/** Deletes an unused image of an account; its key. Primary key. */
export const deleteUnused = (db: Database, accountId: string, id: string) =>
  db.value<string>(sql`
    delete from images
    where account_id = ${accountId} and id = ${id} and claimed_at is null
    returning key
  `);

/** Those of `keys` that a row names. Unique indexes on the keys of images and visitor_images. */
export async function keysInUse(db: Database, keys: readonly string[]): Promise<Set<string>> {
  const found = await db.column<string>(sql`
    select key from images where key = any(${keys}::text[])
    union all
    select key from visitor_images where key = any(${keys}::text[])
  `);
  return new Set(found);
}

/** Images of the account, at most `limit`: the keys of their files. */
export const imageKeys = (db: Database, { accountId, limit }: Batch) =>
  db.column<string>(sql`
    select key from images where account_id = ${accountId} limit ${limit}
  `);

/** Their rows, once the files are gone. */
export const deleteImageRows = (db: Database, accountId: string, keys: readonly string[]) =>
  db.count(sql`
    delete from images where account_id = ${accountId} and key = any(${keys}::text[]) returning id
  `);

/** An image in use: its own size, pixels, and the widths it is served in. */
export type SizedImage = Pick<StoredImage, "key" | "width" | "height" | "widths"> & {
  accountId: string;
  id: string;
};

/** The next images in use by key. Index images_key_key. */
export const imagesAfter = (db: Database, after: string, limit: number) =>
  db.query<SizedImage>(sql`
    select account_id as "accountId", id, key, width, height, widths
    from images
    where key > ${after} and claimed_at is not null
    order by key
    limit ${limit}
  `);

/** Whether the image still has this key, and is served in one width more from now on. Primary key. */
export const addWidth = (
  db: Database,
  { accountId, id, key }: Pick<SizedImage, "accountId" | "id" | "key">,
  width: number,
) =>
  db.any(sql`
    update images
    set widths = array(select distinct unnest(widths || ${width}::integer) order by 1)
    where account_id = ${accountId} and id = ${id} and key = ${key}
    returning id
  `);

export type WithoutAvif = { accountId: string; id: string; key: string; widths: number[] };

/** The newest image in use that was not yet checked for AVIF. Index images_without_avif. */
export const findWithoutAvif = (db: Database) =>
  db.first<WithoutAvif>(sql`
    select account_id as "accountId", id, key, widths
    from images
    where avif_widths is null and claimed_at is not null
    order by claimed_at desc
    limit 1
  `);

/** Records in which widths an image exists as AVIF, unless it has other files by now. Primary key. */
export const setAvifWidths = (
  db: Database,
  { accountId, id, key }: Pick<WithoutAvif, "accountId" | "id" | "key">,
  widths: readonly number[],
) =>
  db.run(sql`
    update images
    set avif_widths = ${widths}::integer[]
    where account_id = ${accountId} and id = ${id} and key = ${key}
  `);
