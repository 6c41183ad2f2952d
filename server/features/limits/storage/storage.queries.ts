import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

type Stored = {
  bytes: number;
  /** a bound of the account's own */
  own: number | null;
  /** the operator's bound for everybody, undefined where nothing is set */
  setting: unknown;
};

/** Primary keys. */
export async function readStorage(db: Database, accountId: string): Promise<Stored> {
  const [row] = await db.prepared<Stored & { set: boolean }>(
    "storage.read",
    sql`
      select
        coalesce(s.bytes, 0)::float8 as bytes,
        s.quota::float8 as own,
        o.key is not null as set,
        o.value as setting
      from (select ${accountId}::uuid as id) a
      left join account_storage s on s.account_id = a.id
      left join operator_settings o on o.key = 'storage-per-member'
    `,
  );
  const { bytes = 0, own = null, set = false, setting } = row ?? {};
  return { bytes, own, setting: set ? setting : undefined };
}

/**
 * Bytes that all accounts keep here that joined within so many days, kept by triggers (migration 0102); a row a
 * day. Numbers of the caller's transaction are among them.
 */
export async function readNewcomers(db: Database, days: number): Promise<number> {
  const [row] = await db.prepared<{ bytes: number }>(
    "storage.newcomers",
    sql`
      select coalesce(sum(bytes), 0)::float8 as bytes from newcomers_storage
      where joined_day >= extract(epoch from now())::bigint / 86400 - ${days}::integer
    `,
  );
  return row?.bytes ?? 0;
}

export async function writeQuota(
  db: Database,
  accountId: string,
  quota: number | null,
): Promise<void> {
  await db.query(sql`
    insert into account_storage (account_id, quota) values (${accountId}, ${quota})
    on conflict (account_id) do update set quota = excluded.quota
  `);
}
