import { sql, type Sql } from "#server/platform/db/sql.ts";
import { ms } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";

/** An account that is to be deleted at `dueAt` (epoch ms) and may still be kept. */
export type Leaving = { accountId: string; name: string; dueAt: number };

/** Deletion was requested, and nothing is deleted yet. A suspended account may not come back. */
export const mayComeBack = (a: string): Sql =>
  sql`(
    ${sql.ref(`${a}.suspended_at`)} is null
    and ${sql.ref(`${a}.deletion_due_at`)} is not null
    and ${sql.ref(`${a}.deletion_begun_at`)} is null
  )`;

/** Primary key. */
export const findLeaving = (db: Database, accountId: string) =>
  db.first<Leaving>(sql`
    select a.id as "accountId", coalesce(nullif(a.full_name, ''), a.username) as name,
      ${ms("a.deletion_due_at")} as "dueAt"
    from accounts a
    where a.id = ${accountId} and ${mayComeBack("a")}
  `);
