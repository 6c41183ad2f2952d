import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

/** Answers when it ends. */
export async function insertInvitation(db: Database, hash: Buffer, days: number): Promise<Date> {
  const { rows } = await sql<{ expires: Date }>`
    insert into invitations (code_hash, expires_at)
    values (${hash}, now() + make_interval(days => ${days}::integer))
    returning expires_at as expires
  `.execute(db.kysely);
  return rows[0]?.expires ?? new Date();
}

/** Primary key. */
export async function isGood(db: Database, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from invitations
    where code_hash = ${hash} and used_at is null and expires_at > now()
  `.execute(db.kysely);
  return rows.length > 0;
}

/** False for one that is used, too old or none. Its row is locked until the transaction ends. */
export async function useInvitation(db: Database, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update invitations set used_at = now()
    where code_hash = ${hash} and used_at is null and expires_at > now()
    returning 1
  `.execute(db.kysely);
  return rows.length > 0;
}

/** Index invitations_expired. */
export async function sweepInvitations(db: Database): Promise<void> {
  await sql`delete from invitations where expires_at < now()`.execute(db.kysely);
}
