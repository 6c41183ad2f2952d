import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** What is stored of a name: enough to recognize it, not to list former members. */
export function retiredDigest(username: Sql): Sql {
  return sql`sha256(convert_to('postcard username ' || ${username}, 'UTF8'))`;
}

/**
 * Whether a deleted account had this username. Asked after the name was inserted into `usernames`:
 * that insert waits for a running deletion, and this statement then sees what it retired.
 */
export const isRetired = (db: Database, username: string) =>
  db.any(sql`
    select 1 from retired_usernames where digest = ${retiredDigest(sql`${username}::text`)}
  `);
