import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

export type LinkRow = { accountId: string; detail: string };

type NewLink = { token_hash: Buffer; account_id: string; detail: string; revocable: boolean };

/** `seconds`: how long it can be used. */
export async function insertLink(db: Database, link: NewLink, seconds: number): Promise<void> {
  const expires_at = sql`now() + make_interval(secs => ${seconds}::integer)`;
  await db.run(sql`insert into mailed_links ${sql.row({ ...link, expires_at })}`);
}

/** A link that can still be used. Primary key. */
export const findLink = (db: Database, tokenHash: Buffer) =>
  db.first<LinkRow>(sql`
    select account_id as "accountId", detail
    from mailed_links
    where token_hash = ${tokenHash} and expires_at > now()
  `);

/** Consumes a link; of several at once one gets it, the others null. */
export const takeLink = (db: Database, tokenHash: Buffer) =>
  db.first<LinkRow>(sql`
    delete from mailed_links
    where token_hash = ${tokenHash} and expires_at > now()
    returning account_id as "accountId", detail
  `);

/** Deletes the links of an account that signing out everywhere ends. mailed_links_account. */
export const deleteRevocableLinks = (db: Database, accountId: string) =>
  db.run(sql`delete from mailed_links where account_id = ${accountId} and revocable`);
