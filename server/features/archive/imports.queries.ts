import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import type { ArchiveKind, ImportView } from "#shared/archive.ts";
import type { Audience } from "#shared/posts.ts";

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
export async function insertImport(
  db: Database,
  { accountId, id, audience }: { accountId: string; id: string; audience: Audience | null },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into imports (account_id, id, audience) values (${accountId}, ${id}, ${audience})
    on conflict do nothing
    returning id
  `);
  return rows.length > 0;
}

/** A device sends its posts. */
export const isOpen = sql`(state = 'waiting' and device_seen_at is not null)`;

/** The newest one. Primary key. */
export async function latestImport(db: Database, accountId: string): Promise<ImportView | null> {
  const rows = await db.query<ImportView>(sql`
    select id, kind, done, total, taken, known, problem, left_out as "leftOut",
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
  return rows[0] ?? null;
}

/** An import that is still to be done, of an account that is still visible. Index imports_id. */
export async function findWaiting(db: Database, id: string): Promise<WaitingImport | null> {
  const rows = await db.query<WaitingImport>(sql`
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
  return rows[0] ?? null;
}

/** The progress of an import; `skipped` has sentences about what was skipped. */
export type ImportProgress = { posts: Counts; messages: Counts; skipped: string[] };
type Counts = { done: number; total: number; taken: number; known: number };

/** What was checked stays checked: a later run continues from here. */
export async function writeProgress(
  db: Database,
  id: string,
  { posts, messages, skipped }: ImportProgress,
): Promise<void> {
  await db.query(sql`
    update imports set done = ${posts.done}, total = ${posts.total}, taken = ${posts.taken},
      known = ${posts.known}, messages_done = ${messages.done}, messages_total = ${messages.total},
      messages_taken = ${messages.taken}, messages_known = ${messages.known},
      skipped = ${JSON.stringify(skipped)}::jsonb, checked = true
    where id = ${id} and state = 'waiting'
  `);
}

/** Where an archive comes from, and what of it does not come over by its kind. */
export async function writeFound(
  db: Database,
  id: string,
  { kind, leftOut }: { kind: ArchiveKind; leftOut: string[] },
): Promise<void> {
  await db.query(sql`
    update imports set kind = ${kind}, left_out = ${JSON.stringify(leftOut)}::jsonb
    where id = ${id} and state = 'waiting'
  `);
}

/** `problem` is null when it succeeded. */
export async function writeEnd(db: Database, id: string, problem: string | null): Promise<void> {
  await db.query(sql`
    update imports set state = ${problem === null ? "done" : "failed"}, problem = ${problem},
      finished_at = now()
    where id = ${id} and state = 'waiting'
  `);
}

/**
 * The post that was imported from an archive under this key, or that is the very one the archive was made
 * from; `fresh` when it was imported since `since`. Unique key posts_client_key, primary key.
 */
export async function findImported(
  db: Database,
  wanted: { authorId: string; clientKey: string; postId: string | null; since: Date },
): Promise<{ id: string; fresh: boolean } | null> {
  const rows = await db.query<{ id: string; fresh: boolean }>(sql`
    select id, coalesce(imported_at >= ${wanted.since}, false) as fresh from posts
    where author_id = ${wanted.authorId}
      and (id = ${wanted.postId} or client_key = ${wanted.clientKey})
    limit 1
  `);
  return rows[0] ?? null;
}

/**
 * Marks a post that was just written as imported: it is in no feed and in no list of recent photos, and no list
 * waits for it. In the transaction of the post.
 */
export async function markImported(
  db: Database,
  post: { authorId: string; id: string; importId: string },
): Promise<void> {
  await db.query(sql`
    with listed as (delete from home_pending where post_id = ${post.id})
    update posts set imported_at = clock_timestamp(), import_id = ${post.importId}
    where author_id = ${post.authorId} and id = ${post.id}
  `);
}
