import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";

type Note = { accountId: string; aboutId: string };

/** What the viewer noted about an account of an expression; empty: nothing. Primary key. */
export const noteAbout = (viewerId: string | null, accountId: Sql): Sql => sql`coalesce((
  select body from account_notes
  where account_notes.account_id = ${viewerId}::uuid and account_notes.about_id = ${accountId} limit 1
), '')`;

/**
 * In place of the one that was there. False where there are `most` about others. Null where the other account may
 * not be seen.
 */
export const writeNote = (
  db: Database,
  { accountId, aboutId, id, body, most }: Note & { id: string; body: string; most: number },
) =>
  db.value<boolean>(sql`
    with other as (
      select a.id from accounts a where a.id = ${aboutId} and ${visibleTo(accountId, "a")}
    ),
    written as (
      insert into account_notes (account_id, about_id, id, body)
      select ${accountId}::uuid, other.id, ${id}::uuid, ${body} from other
      where (
        select count(*) from (
          select from account_notes where account_id = ${accountId} and about_id <> ${aboutId} limit ${most}
        ) others
      ) < ${most}
      on conflict (account_id, about_id) do update set id = excluded.id, body = excluded.body
      returning about_id
    )
    select exists (select from written) as written from other
  `);

export const deleteNote = (db: Database, { accountId, aboutId }: Note) =>
  db.run(sql`
    delete from account_notes where account_id = ${accountId} and about_id = ${aboutId}
  `);
