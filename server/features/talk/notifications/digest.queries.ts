import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";

/** `language`: the one they chose. */
export type Due = { id: string; name: string; email: string; language: string | null };

/** The position of a walk through waiting notifications: the last row that was read. */
export type Waiting = { latestId: string; accountId: string };

export type DuePage = { due: Due[]; next: Waiting | null };

/**
 * Members to email among the next `among` notifications that have waited unread up to `to`: their
 * last digest is a day old, they want digests and their email is verified. Somebody with several
 * may come again with a later part. `next` is where to continue, null at the end. Every row is read
 * once, in the order of the index notifications_waiting.
 */
export const dueRecipients = (
  db: Database,
  { after, to, among }: { after: Waiting; to: string; among: number },
) =>
  db.one<DuePage>(sql.named("digest.due")`
    with waiting as materialized (
      select latest_id, account_id from notifications
      where unread and latest_id < ${to}::uuid
        and (latest_id, account_id) > (${after.latestId}::uuid, ${after.accountId}::uuid)
      order by latest_id, account_id
      limit ${among}
    )
    select
      (
        select coalesce(json_agg(json_build_object(
          'id', a.id, 'name', a.full_name, 'email', a.email_as_typed, 'language', a.language)
          order by a.id), '[]')
        from (select distinct account_id from waiting) member
        cross join lateral (
          select * from accounts where id = member.account_id limit 1
        ) a
        left join notification_settings s on s.account_id = a.id
        where a.email_verified and ${visibleAccount("a")}
          and coalesce(s.digest, true)
          and coalesce(s.digested_at < now() - interval '23 hours', true)
      ) as due,
      (
        select json_build_object('latestId', latest_id, 'accountId', account_id) from waiting
        where (select count(*) from waiting) = ${among}
        order by latest_id desc, account_id desc
        limit 1
      ) as next
  `);

/**
 * Claims a member's digest of today: one process, once. Answers when the last one was written,
 * epoch milliseconds (0: never), null when another process claimed it or digests were switched off
 * meanwhile.
 */
export const claimDigest = (db: Database, accountId: string) =>
  db.value<number>(sql`
    with old as (
      select digested_at from notification_settings where account_id = ${accountId} for update
    )
    insert into notification_settings as s (account_id, digested_at) values (${accountId}, now())
    on conflict (account_id) do update set digested_at = now()
      where s.digest and coalesce(s.digested_at < now() - interval '23 hours', true)
    returning floor(extract(epoch from coalesce((select digested_at from old), to_timestamp(0)))
      * 1000)::float8 as before
  `);

/** Releases a digest that had nothing to say: what comes next need not wait for tomorrow's. */
export const returnDigest = (db: Database, accountId: string, before: number) =>
  db.run(sql`
    update notification_settings
    set digested_at = to_timestamp(nullif(${before}::float8, 0) / 1000)
    where account_id = ${accountId}
  `);
