import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";

export type Due = { id: string; name: string; email: string };

/**
 * Members to write to: something has waited unread between these two ids, the last letter is a day
 * old, they want letters and their email is theirs. Index notifications_waiting.
 */
export async function dueMembers(
  db: Database,
  { from, to, after, limit }: { from: string; to: string; after: string; limit: number },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select a.id, a.full_name as name, a.email_as_typed as email
    from (
      select distinct account_id from notifications
      where unread and latest_id > ${from} and latest_id < ${to} and account_id > ${after}
    ) waiting
    join accounts a on a.id = waiting.account_id
    left join notification_settings s on s.account_id = a.id
    where a.email_verified and ${visibleAccount("a")}
      and coalesce(s.digest, true)
      and coalesce(s.digested_at < now() - interval '23 hours', true)
    order by a.id
    limit ${limit}
  `.execute(db.kysely);
  return rows;
}

/**
 * Takes a member's letter of today: one process, once. Answers when the last one was written, epoch
 * milliseconds (0: never), null when another took it or letters were switched off meanwhile.
 */
export async function claimDigest(db: Database, accountId: string): Promise<number | null> {
  const { rows } = await sql<{ before: number }>`
    with old as (
      select digested_at from notification_settings where account_id = ${accountId} for update
    )
    insert into notification_settings as s (account_id, digested_at) values (${accountId}, now())
    on conflict (account_id) do update set digested_at = now()
      where s.digest and coalesce(s.digested_at < now() - interval '23 hours', true)
    returning floor(extract(epoch from coalesce((select digested_at from old), to_timestamp(0)))
      * 1000)::float8 as before
  `.execute(db.kysely);
  return rows[0]?.before ?? null;
}

/** Gives a letter back that had nothing to tell: what comes next need not wait for tomorrow's. */
export async function returnDigest(db: Database, accountId: string, before: number): Promise<void> {
  await sql`
    update notification_settings
    set digested_at = to_timestamp(nullif(${before}::float8, 0) / 1000)
    where account_id = ${accountId}
  `.execute(db.kysely);
}
