import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { emailCounts, hasRequested, mayLookUp, visibleTo } from "#server/features/people/index.ts";

/**
 * The address by which a viewer knows the account of this row: their own email, the email of
 * somebody who confirmed it, shows it to everybody and is found by it, else the username.
 */
export function addressFor(db: Database, viewerId: string | null, accounts = "a"): Sql {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`case
    when ${column("id")} = ${viewerId}::uuid
      or (${column("show_email")} and ${column("findable_by_email")} and ${emailCounts(db, accounts)})
    then ${column("email_as_typed")}
    else ${column("username")}
  end`;
}

/** The same of many at once, by id; accounts that may not be seen are left out. Primary key. */
export async function addressesOf(
  db: Database,
  viewerId: string | null,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; address: string }>(sql.named("documents.addresses")`
    select a.id, ${addressFor(db, viewerId)} as address
    from accounts a
    where a.id = any(${ids}::uuid[]) and ${visibleTo(viewerId, "a")}
  `);
  return new Map(rows.map(({ id, address }) => [id, address]));
}

type AccountAt = {
  position: number;
  id: string;
  followed: boolean;
  requested: boolean;
  follows: boolean;
};

/**
 * The visible account at each address (`position` counts from 0), and whether the viewer follows
 * it, asked to, and is followed. Addresses that lead to nobody have no row. Primary key of usernames,
 * accounts_email_key, primary keys of follows and follow_requests.
 */
export async function accountsAt(
  db: Database,
  viewerId: string,
  addresses: readonly string[],
): Promise<AccountAt[]> {
  if (addresses.length === 0) return [];
  return db.query(sql.named("documents.accounts-at")`
    select
      wanted.position::int - 1 as position,
      a.id,
      exists (
        select from follows f where f.follower_id = ${viewerId} and f.followee_id = a.id
      ) as followed,
      ${hasRequested(viewerId, "a")} as requested,
      exists (
        select from followers f where f.followee_id = ${viewerId} and f.follower_id = a.id
      ) as follows
    from unnest(${addresses}::text[]) with ordinality as wanted (address, position)
    cross join lateral ${ownerOf(db, { viewerId, addresses, at: "wanted.address" })} owner
    join accounts a on a.id = owner.id and ${visibleTo(viewerId, "a")}
  `);
}

/**
 * The account that the address in column `at` leads to, visible or not: at most one row of `id`.
 * `addresses`, in lower case, are all that the column has.
 */
export function ownerOf(
  db: Database,
  { viewerId, addresses, at }: { viewerId: string; addresses: readonly string[]; at: string },
): Sql {
  const wanted = sql.ref(at);
  return sql`(
    select account_id as id from usernames where username = ${wanted}
    union all
    select id from accounts
    where email = ${wanted}
      and (
        email = any(${addresses.filter(mayLookUp)}::text[]) and findable_by_email and ${emailCounts(db)}
        or id = ${viewerId}::uuid
      )
    limit 1
  )`;
}
