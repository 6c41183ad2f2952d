import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";

/** Imports whose posts can go again, or are going, newest first. Primary key. */
export const undoable = (db: Database, accountId: string) =>
  db.query<UndoableImport>(sql`
    select id, kind, taken as posts, undone, undo_begun_at is not null as undoing,
      ${ms("created_at")} as "createdAt"
    from imports
    where account_id = ${accountId} and state <> 'waiting' and taken > 0 and undone_at is null
      and created_at > now() - make_interval(days => ${sql.lit(limits.archive.undoDays)})
    order by id desc
    limit 20
  `);

/** How many posts of an import there are, and how many have comments of others. Index posts_by_import. */
export const countPosts = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.one<{ posts: number; commented: number }>(sql`
    select count(*)::integer as posts,
      count(*) filter (where p.comment_count > 0 and exists (
        select from comments c
        where c.author_id = p.author_id and c.post_id = p.id and c.account_id <> p.author_id
      ))::integer as commented
    from posts p where p.author_id = ${accountId} and p.import_id = ${id}
  `);

/** False where it cannot be undone, or is being undone. Primary key. */
export const beginUndo = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.any(sql`
    update imports set undo_begun_at = now()
    where account_id = ${accountId} and id = ${id} and state <> 'waiting' and undo_begun_at is null
      and created_at > now() - make_interval(days => ${sql.lit(limits.archive.undoDays)})
    returning id
  `);

/** Some posts of an import that is being undone, oldest first. Indexes imports_id, posts_by_import. */
export const postsToRemove = (db: Database, id: string, limit: number) =>
  db.query<{ authorId: string; postId: string }>(sql`
    select p.author_id as "authorId", p.id as "postId"
    from imports i join posts p on p.author_id = i.account_id and p.import_id = i.id
    where i.id = ${id} and i.undo_begun_at is not null
    order by p.id
    limit ${limit}
  `);

/** Albums of an import that is being undone, in which nothing is left. Index imports_id, primary keys. */
export const emptiedAlbums = (db: Database, id: string) =>
  db.query<AlbumRef>(sql`
    select al.owner_id as "ownerId", al.id as "albumId"
    from imports i join albums al on al.owner_id = i.account_id and al.import_id = i.id
    where i.id = ${id} and i.undo_begun_at is not null and not exists (
      select from album_items it where it.owner_id = al.owner_id and it.album_id = al.id
    )
  `);

/** Index imports_id. */
export const writeUndone = (db: Database, id: string, removed: number) =>
  db.run(sql`update imports set undone = undone + ${removed} where id = ${id}`);

/** Index imports_id. */
export const endUndo = (db: Database, id: string) =>
  db.run(sql`
    update imports set undone_at = now() where id = ${id} and undo_begun_at is not null
  `);
