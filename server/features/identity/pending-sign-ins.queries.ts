import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** `lifetime` in seconds. */
export const insertPending = (
  db: Database,
  { tokenHash, accountId, lifetime }: { tokenHash: string; accountId: string; lifetime: number },
) =>
  db.run(sql`
    insert into pending_sign_ins (token_hash, account_id, expires_at)
    values (${tokenHash}, ${accountId}, now() + make_interval(secs => ${lifetime}::integer))
  `);

/** The account of a pending sign-in; `email` in lower case. */
export const findPending = (db: Database, tokenHash: string) =>
  db.first<{ accountId: string; email: string }>(sql`
    select p.account_id as "accountId", a.email
    from pending_sign_ins p
    join accounts a on a.id = p.account_id
    where p.token_hash = ${tokenHash} and p.expires_at > now()
  `);

/** Ends it; false when it was ended already, or expired. */
export const takePending = (db: Database, tokenHash: string) =>
  db.any(sql`
    delete from pending_sign_ins
    where token_hash = ${tokenHash} and expires_at > now()
    returning token_hash
  `);
