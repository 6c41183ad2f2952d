import { sql, type Sql } from "#server/platform/db/sql.ts";
import { ms } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";

/** A suspended account. `until`: epoch ms; null: no end is set. */
export type Suspended = { accountId: string; name: string; until: number | null };

/** Suspended, and not about to be deleted for good: its owner may learn why. */
export const isSuspended = (a: string): Sql =>
  sql`(
    ${sql.ref(`${a}.suspended_at`)} is not null
    and ${sql.ref(`${a}.deletion_begun_at`)} is null
  )`;

/** Primary key. */
export const findSuspended = (db: Database, accountId: string) =>
  db.first<Suspended>(sql`
    select a.id as "accountId", coalesce(nullif(a.full_name, ''), a.username) as name,
      ${ms("a.suspended_until")} as until
    from accounts a
    where a.id = ${accountId} and ${isSuspended("a")}
  `);

/**
 * Keeps an earlier suspension's start; of two ends the later one counts, and none is the latest.
 * Answers whether its owner must be notified: suspended now, or for a day longer.
 */
export const writeSuspension = (db: Database, accountId: string, until: Date | null) =>
  db.value<boolean>(sql`
    update accounts a
    set
      suspended_at = coalesce(a.suspended_at, now()),
      suspended_until = case
        when ${until}::timestamptz is null or (a.suspended_at is not null and a.suspended_until is null)
          then null
        else greatest(a.suspended_until, ${until}::timestamptz)
      end,
      updated_at = now()
    from (select id, suspended_at, suspended_until from accounts where id = ${accountId} for update) old
    where a.id = old.id
    returning old.suspended_at is null
      or coalesce(a.suspended_until, 'infinity')
        > coalesce(old.suspended_until, 'infinity') + interval '1 day' as news
  `);

export const endSuspension = (db: Database, accountId: string) =>
  db.run(sql`
    update accounts set suspended_at = null, suspended_until = null, updated_at = now()
    where id = ${accountId}
  `);

/**
 * Ends expired suspensions: of one account, or of all (accounts_suspended_until). Answers how many.
 */
export const endOver = (db: Database, accountId: string | null) =>
  db.count(sql`
    update accounts set suspended_at = null, suspended_until = null, updated_at = now()
    where suspended_at is not null and suspended_until <= now()
      and ${accountId === null ? sql`true` : sql`id = ${accountId}`}
    returning id
  `);
