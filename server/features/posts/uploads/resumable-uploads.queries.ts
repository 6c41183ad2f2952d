import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { ReservedFor, StoredImage } from "#server/features/posts/images/images.queries.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";

export const insertUpload = (
  db: Database,
  {
    accountId,
    id,
    bytes,
    albumId = null,
    importId = null,
  }: UploadKey & { bytes: number } & ReservedFor,
) =>
  db.run(sql`
    insert into uploads (account_id, id, bytes, album_id, import_id)
    values (${accountId}, ${id}, ${bytes}, ${albumId}, ${importId})
  `);

type Unfinished = { count: number; bytes: number };

/**
 * The account's uploads that are not images yet; others that begin wait here until the transaction ends.
 * Primary key.
 */
export async function lockUnfinished(db: Database, accountId: string): Promise<Unfinished> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${accountId}`}, 0))`);
  return db.one<Unfinished>(sql`
    select count(*)::integer as count, coalesce(sum(bytes), 0)::float8 as bytes
    from uploads
    where account_id = ${accountId} and image_id is null and refused is null
  `);
}

/** Deletes the account's unfinished uploads that received nothing since `before`. Primary key. */
export async function deleteIdle(db: Database, accountId: string, before: Date) {
  const rows = await db.query<{ id: string; bytes: number }>(sql`
    delete from uploads
    where account_id = ${accountId} and image_id is null and refused is null
      and touched_at < ${before}
    returning id, bytes
  `);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return { count: rows.length, bytes, ids: rows.map(({ id }) => id) };
}

/** While a process is working on it, until this many seconds after its last sign of life. */
const processingSeconds = 10;

/** Claims the work for this process; false where another one has it, or the upload is gone. Primary key. */
export const beginProcessing = (db: Database, { accountId, id }: UploadKey) =>
  db.any(sql`
    update uploads set making_until = now() + make_interval(secs => ${processingSeconds})
    where account_id = ${accountId} and id = ${id} and image_id is null and refused is null
      and (making_until is null or making_until < now())
    returning id
  `);

/** Records that this process is still working on it. Primary key. */
export const extendProcessing = (db: Database, { accountId, id }: UploadKey) =>
  db.run(sql`
    update uploads set making_until = now() + make_interval(secs => ${processingSeconds})
    where account_id = ${accountId} and id = ${id} and making_until is not null
  `);

/** Releases the work: the next request may try at once. Primary key. */
export const endProcessing = (db: Database, { accountId, id }: UploadKey) =>
  db.run(sql`
    update uploads set making_until = null where account_id = ${accountId} and id = ${id}
  `);

/** Whether some process is working on it. Primary key. */
export const isProcessing = (db: Database, { accountId, id }: UploadKey) =>
  db.any(sql`
    select 1 from uploads
    where account_id = ${accountId} and id = ${id} and image_id is null and refused is null
      and making_until > now()
  `);

export type FoundUpload = {
  bytes: number;
  received: number;
  refused: string | null;
  touched: Date;
  /** what it was begun for */
  reservedFor: ReservedFor;
  imageId: string | null;
  /** the image made from it, where that still exists */
  picture: (StoredImage & { frames: number | null; movingWidth: number | null }) | null;
};

/** An upload and the image made from it. Primary keys. */
export async function findUpload(db: Database, { accountId, id }: UploadKey) {
  const [upload] = await db.query<Omit<FoundUpload, "picture">>(sql`
    select bytes, received::float8 as received, refused, touched_at as touched,
      json_build_object('albumId', album_id, 'importId', import_id) as "reservedFor",
      image_id as "imageId"
    from uploads
    where account_id = ${accountId} and id = ${id}
  `);
  if (!upload) return null;
  const { imageId } = upload;
  const picture = imageId === null ? null : await findImage(db, accountId, imageId);
  return { ...upload, picture };
}

const findImage = (db: Database, accountId: string, imageId: string) =>
  db.first<NonNullable<FoundUpload["picture"]>>(sql`
    select key, width, height, widths, thumbhash, bytes, media_type, frames,
      moving_width as "movingWidth"
    from images
    where account_id = ${accountId} and id = ${imageId}
  `);

/** Counts what arrived, which also records activity. Primary key. */
export const countReceived = (db: Database, { accountId, id }: UploadKey, bytes: number) =>
  db.run(sql`
    update uploads set received = received + ${bytes}, touched_at = now()
    where account_id = ${accountId} and id = ${id}
  `);

/** False when it was removed meanwhile, or has an image already. Primary key. */
export const markFinished = (db: Database, { accountId, id }: UploadKey, imageId: string) =>
  db.any(sql`
    update uploads
    set image_id = ${imageId}, touched_at = now()
    where account_id = ${accountId} and id = ${id} and image_id is null
    returning id
  `);

export const markRefused = (db: Database, { accountId, id }: UploadKey, code: string) =>
  db.run(sql`
    update uploads set refused = ${code} where account_id = ${accountId} and id = ${id}
  `);

/** Null where there is none. Primary key. */
export const deleteUpload = (db: Database, { accountId, id }: UploadKey) =>
  db.first<{ imageId: string | null }>(sql`
    delete from uploads
    where account_id = ${accountId} and id = ${id}
    returning image_id as "imageId"
  `);

/**
 * Those without activity for too long: since before `unfinished` where no image was made from them,
 * otherwise since before `finished`, which is the earlier one. Index uploads_touched.
 */
export const deleteExpired = (db: Database, before: { unfinished: Date; finished: Date }) =>
  db.query<UploadKey>(sql`
    delete from uploads
    where touched_at < ${before.unfinished}
      and (image_id is null or touched_at < ${before.finished})
    returning account_id as "accountId", id
  `);

/** Those of `keys` that are incomplete or still need an image. Primary key. */
export async function findAwaited(db: Database, keys: readonly UploadKey[]): Promise<Set<string>> {
  const found = await db.column<string>(sql`
    select u.id
    from unnest(
      ${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]
    ) as k (account_id, id)
    join uploads u on u.account_id = k.account_id and u.id = k.id
    where u.image_id is null and u.refused is null
  `);
  return new Set(found);
}

/** Records that a draft still exists, which keeps its image. Primary keys. */
export const extendDraft = (db: Database, { accountId, id }: UploadKey, until: Date) =>
  db.run(sql`
    with kept as (
      update uploads set touched_at = now()
      where account_id = ${accountId} and id = ${id}
      returning image_id
    )
    update images set draft_until = ${until}
    where account_id = ${accountId} and claimed_at is null
      and id = (select image_id from kept)
  `);

/** Whether devices may send photos for an import of the account; null where it is none. Primary key. */
export const isImportOpen = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.value<boolean>(sql`
    select state = 'waiting' as open from imports
    where account_id = ${accountId} and id = ${id} and device_seen_at is not null
  `);
