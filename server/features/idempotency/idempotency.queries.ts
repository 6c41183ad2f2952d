import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

type Key = { accountId: string; key: string };

/**
 * True when this transaction is the first with the key in `hours`. Waits for another one that holds the key
 * and has not ended. Primary key.
 */
export const claimKey = (
  db: Database,
  { accountId, key, fingerprint, hours }: Key & { fingerprint: Buffer; hours: number },
) =>
  db.any(sql`
    insert into idempotency_keys as known (account_id, key, fingerprint)
    values (${accountId}, ${key}, ${fingerprint})
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = now()
      where known.created_at < now() - make_interval(hours => ${hours}::integer)
    returning key
  `);

export type StoredAnswer = { fingerprint: Buffer; status: number | null; answer: unknown };

/** Of the last `hours`. Primary key. */
export const findAnswer = (db: Database, { accountId, key, hours }: Key & { hours: number }) =>
  db.first<StoredAnswer>(sql`
    select fingerprint, status, answer
    from idempotency_keys
    where account_id = ${accountId} and key = ${key}
      and created_at >= now() - make_interval(hours => ${hours}::integer)
  `);

export const storeAnswer = (
  db: Database,
  { accountId, key }: Key,
  { status, body }: { status: number; body: unknown },
) =>
  db.run(sql`
    update idempotency_keys
    set status = ${status}, answer = ${JSON.stringify(body)}
    where account_id = ${accountId} and key = ${key}
  `);

/** Index idempotency_keys_created. */
export const sweepKeys = (db: Database, hours: number) =>
  db.run(sql`
    delete from idempotency_keys
    where created_at < now() - make_interval(hours => ${hours}::integer)
  `);
