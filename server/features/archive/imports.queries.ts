import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import type { ArchiveKind, ImportView } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

/** What its importer chose. */
export type NewImport = {
  /** for posts that do not say whom they are for; null: as the next post */
  audience: Audience | null;
  /** at its end, its newest posts are shown in feeds */
  showNewest: boolean;
};

export type WaitingImport = {
  id: string;
  accountId: string;
  createdAt: Date;
  /** chosen for posts that do not say whom they are for */
  audience: Audience | null;
  /** how far the last run got; null where it was not checked yet */
  progress: ImportProgress | null;
};

/** False when one is already being read. Unique index imports_one_at_a_time. */
export const insertImport = (
  db: Database,
  { accountId, id, audience, showNewest }: NewImport & { accountId: string; id: string },
) =>
  db.any(sql`
    insert into imports (account_id, id, audience, show_newest)
    values (${accountId}, ${id}, ${audience}, ${showNewest})
    on conflict do nothing
    returning id
  `);

/** A device sends its posts. */
export const isOpen = sql`(state = 'waiting' and device_seen_at is not null)`;

/** The newest one. Primary key. */
export const latestImport = (db: Database, accountId: string) =>
  db.first<ImportView>(sql`
    select id, kind, done, total, taken, known, problem, left_out as "leftOut",
      show_newest as "showNewest",
      case when ${isOpen} then 'arriving' else state end as state,
      -- read when it is over: until then the page asks every other second
      case when state = 'waiting' then '[]' else skipped end as skipped,
      case when undo_begun_at is not null then undone end as undone,
      undo_begun_at is not null and undone_at is null as undoing,
      json_build_object('done', messages_done, 'total', messages_total,
        'taken', messages_taken, 'known', messages_known) as messages,
      ${ms("created_at")} as "createdAt"
    from imports where account_id = ${accountId}
    order by id desc limit 1
  `);

/** An import that is still to be done, of an account that is still visible. Index imports_id. */
export const findWaiting = (db: Database, id: string) =>
  db.first<WaitingImport>(sql`
    select i.id, i.account_id as "accountId", i.created_at as "createdAt", i.audience,
      case when i.checked then json_build_object(
        'posts', json_build_object('done', i.done, 'total', i.total,
          'taken', i.taken, 'known', i.known),
        'messages', json_build_object('done', i.messages_done, 'total', i.messages_total,
          'taken', i.messages_taken, 'known', i.messages_known),
        'skipped', i.skipped) end as progress
    from imports i join accounts a on a.id = i.account_id
    where i.id = ${id} and i.state = 'waiting' and ${visibleAccount("a")}
  `);

/** Of the newest posts of an account that say one; without scripts posts are of UTC. Primary key. */
export async function timeZoneOf(db: Database, accountId: string): Promise<string> {
  const found = await db.first<{ zone: string }>(sql`
    select zone from (
      select time_zone as zone from posts where author_id = ${accountId} order by id desc limit 50
    ) newest
    where zone <> 'UTC'
    limit 1
  `);
  return found?.zone ?? "UTC";
}

/** The progress of an import; `skipped` has sentences about what was skipped. */
export type ImportProgress = { posts: Counts; messages: Counts; skipped: string[] };
type Counts = { done: number; total: number; taken: number; known: number };

/** What was checked stays checked: a later run continues from here. */
export const writeProgress = (
  db: Database,
  id: string,
  { posts, messages, skipped }: ImportProgress,
) =>
  db.run(sql`
    update imports set done = ${posts.done}, total = ${posts.total}, taken = ${posts.taken},
      known = ${posts.known}, messages_done = ${messages.done}, messages_total = ${messages.total},
      messages_taken = ${messages.taken}, messages_known = ${messages.known},
      skipped = ${JSON.stringify(skipped)}::jsonb, checked = true
    where id = ${id} and state = 'waiting'
  `);

/** Where an archive comes from, and what of it does not come over by its kind. */
export const writeFound = (
  db: Database,
  id: string,
  { kind, leftOut }: { kind: ArchiveKind; leftOut: string[] },
) =>
  db.run(sql`
    update imports set kind = ${kind}, left_out = ${JSON.stringify(leftOut)}::jsonb
    where id = ${id} and state = 'waiting'
  `);

/** One that was just ended; null where it was before. */
export type EndedImport = { id: string; showNewest: boolean };
export const endedImport = sql`id, show_newest as "showNewest"`;

/** `problem` is null when it succeeded. Index imports_id. */
export const writeEnd = (db: Database, id: string, problem: string | null) =>
  db.first<EndedImport>(sql`
    update imports set state = ${problem === null ? "done" : "failed"}, problem = ${problem},
      finished_at = now()
    where id = ${id} and state = 'waiting'
    returning ${endedImport}
  `);

/**
 * The post that was imported from an archive under this key, or that is the very one the archive was made
 * from; `fresh` when it was imported since `since`. Unique key posts_client_key, primary key.
 */
export const findImported = (
  db: Database,
  wanted: { authorId: string; clientKey: string; postId: string | null; since: Date },
) =>
  db.first<{ id: string; fresh: boolean }>(sql`
    select id, coalesce(imported_at >= ${wanted.since}, false) as fresh from posts
    where author_id = ${wanted.authorId}
      and (id = ${wanted.postId} or client_key = ${wanted.clientKey})
    limit 1
  `);

/**
 * Marks a post that was just written as imported: it is in no feed and in no list of recent photos, and no list
 * waits for it. In the transaction of the post.
 */
export const markImported = (
  db: Database,
  post: { authorId: string; id: string; importId: string },
) =>
  db.run(sql`
    with listed as (delete from home_pending where post_id = ${post.id})
    update posts set imported_at = clock_timestamp(), import_id = ${post.importId}
    where author_id = ${post.authorId} and id = ${post.id}
  `);

/**
 * Shows the newest posts of an import in feeds, of those that followers or close friends may see: without
 * `imported_at` they are posts of their days, and lists wait for them. Written over what waits already: whoever
 * lists that saw the post as it was. Index posts_by_import, primary keys.
 */
export const showNewest = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.run(sql`
    with newest as materialized (
      select id from posts
      where author_id = ${accountId} and import_id = ${id}
        and audience in ('everyone', 'followers', 'close-friends')
      order by id desc
      limit ${limits.archive.newestShown}
    ),
    shown as (
      update posts set imported_at = null
      where author_id = ${accountId} and id in (select id from newest)
      returning author_id, id
    )
    insert into home_pending (post_id, author_id) select id, author_id from shown
    on conflict (post_id) do update set author_id = excluded.author_id
  `);
