import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

type Stored = {
  bytes: number;
  /** the account's own quota */
  own: number | null;
  /** the operator's quota for everybody, undefined where it is not set */
  setting: unknown;
};

/** Primary keys. */
export async function readStorage(db: Database, accountId: string): Promise<Stored> {
  const [row] = await db.query<Stored & { set: boolean }>(sql.named("storage.read")`
    select
      coalesce(s.bytes, 0)::float8 as bytes,
      s.quota::float8 as own,
      o.key is not null as set,
      o.value as setting
    from (select ${accountId}::uuid as id) a
    left join account_storage s on s.account_id = a.id
    left join operator_settings o on o.key = 'storage-per-member'
  `);
  const { bytes = 0, own = null, set = false, setting } = row ?? {};
  return { bytes, own, setting: set ? setting : undefined };
}

/**
 * Bytes stored by all accounts that joined here within this many days, maintained by triggers (migration
 * 0102); one row a day. Includes changes made in the caller's transaction.
 */
export const readNewcomers = (db: Database, days: number) =>
  db.scalar<number>(sql.named("storage.newcomers")`
    select coalesce(sum(bytes), 0)::float8 as bytes from newcomers_storage
    where joined_day >= extract(epoch from now())::bigint / 86400 - ${days}::integer
  `);

export const writeQuota = (db: Database, accountId: string, quota: number | null) =>
  db.run(sql`
    insert into account_storage (account_id, quota) values (${accountId}, ${quota})
    on conflict (account_id) do update set quota = excluded.quota
  `);
