import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { InvitationView } from "#shared/operator.ts";

type NewInvitation = { id: string; hash: Buffer; days: number; note: string };

/** Returns when it expires. */
export const insertInvitation = (db: Database, { id, hash, days, note }: NewInvitation) =>
  db.scalar<Date>(sql`
    insert into invitations (id, code_hash, note, expires_at)
    values (${id}, ${hash}, ${note}, now() + make_interval(days => ${days}::integer))
    returning expires_at as expires
  `);

/** "gone" for one that expired, was withdrawn or never existed. Primary key. */
export async function stateOf(db: Database, hash: Buffer): Promise<"good" | "used" | "gone"> {
  const rows = await db.query<{ used: boolean }>(sql`
    select used_at is not null as used from invitations
    where code_hash = ${hash} and expires_at > now()
  `);
  const [row] = rows;
  return row ? (row.used ? "used" : "good") : "gone";
}

/** False for one that is used, expired or does not exist. Its row is locked until the transaction ends. */
export const useInvitation = (db: Database, hash: Buffer) =>
  db.any(sql`
    update invitations set used_at = now()
    where code_hash = ${hash} and used_at is null and expires_at > now()
    returning 1
  `);

/** Newest first; the codes stay unknown. Index invitations_id. */
export const listInvitations = (db: Database, { below, limit }: { below: string; limit: number }) =>
  db.query<KeyedRow<InvitationView>>(sql`
    select json_build_array(id) as key, json_build_object(
      'id', id, 'note', note, 'used', used_at is not null,
      'madeAt', ${epochMs("created_at")},
      'endsAt', ${epochMs("expires_at")}
    ) as item
    from invitations
    where id < ${below} and expires_at > now()
    order by id desc
    limit ${limit}
  `);

/** Whether there is one that has not expired, used or not. Index invitations_expired. */
export const hasInvitations = (db: Database) =>
  db.any(sql`select 1 from invitations where expires_at > now() limit 1`);

/** False for one that is used or gone. */
export const withdrawInvitation = (db: Database, id: string) =>
  db.any(sql`
    delete from invitations where id = ${id} and used_at is null and expires_at > now() returning 1
  `);

/** Index invitations_expired. */
export const sweepInvitations = (db: Database) =>
  db.run(sql`delete from invitations where expires_at < now()`);
