import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** Whether anybody holds the role. Index accounts_moderators. */
export const hasOperator = (db: Database, except: string | null = null) =>
  db.any(sql`
    select 1 from accounts
    where role = 'operator' and suspended_at is null and deleted_at is null
      and id is distinct from ${except}::uuid
    limit 1
  `);

/** Replaces the one before. */
export const replaceOperatorLink = (
  db: Database,
  { hash, seconds }: { hash: Buffer; seconds: number },
) =>
  db.run(sql`
    insert into operator_link (token_hash, expires_at)
    values (${hash}, now() + make_interval(secs => ${seconds}::integer))
    on conflict (is_only) do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at, used_at = null
  `);

export const isGoodLink = (db: Database, hash: Buffer) =>
  db.any(sql`
    select 1 from operator_link
    where token_hash = ${hash} and used_at is null and expires_at > now()
  `);

/** Of two who use it at once, one gets it: its row is locked until the transaction ends. */
export const takeOperatorLink = (db: Database, hash: Buffer) =>
  db.any(sql`
    update operator_link set used_at = now()
    where token_hash = ${hash} and used_at is null and expires_at > now()
    returning 1
  `);
