import { sql, type Sql } from "#server/platform/db/sql.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { limits } from "#shared/limits.ts";

/**
 * Of the usernames, current or former, that a text mentions, those that lead the viewer to an account: blocked, suspended and deleted accounts look like a name that nobody ever had. Read with the text,
 * so that a new name, a block or a deletion changes no row. It may find more than shared/mentions.ts does, which decides where there is a link.
 *
 * A text without @ costs nothing; any other a probe of the primary keys of usernames, accounts and
 * blocks for each of its first different names, as many as are notified.
 */
function accountsIn(text: string, viewerId: string | null, expression: Sql): Sql {
  const column = sql.ref(text);
  return sql`case when strpos(${column}, '@') = 0 then '[]'::json else coalesce((
    select json_agg(${expression})
    from (
      select lower(name[1] collate "C") collate "default" as username
      from regexp_matches(${column}, '@([A-Za-z0-9_]{3,30})', 'g') with ordinality as m (name, place)
      group by 1
      order by min(place)
      limit ${limits.notifications.mentions}
    ) written
    cross join lateral (
      select account_id from usernames u where u.username = written.username limit 1
    ) known
    cross join lateral (
      select named.id, named.username from accounts named
      where named.id = known.account_id and ${visibleTo(viewerId, "named")}
      limit 1
    ) there
  ), '[]'::json) end`;
}

/** The usernames that a text mentions, as they are written there, in lower case. */
export function usernamesIn(text: string, viewerId: string | null): Sql {
  return accountsIn(text, viewerId, sql`written.username`);
}

/**
 * An account mentioned in a text: the name as it is written there, in lower case, and the account.
 */
export type NamedAccount = { written: string; id: string; username: string };

/** The same accounts with their ids and current usernames: for links of another kind. */
export function accountsNamedIn(text: string, viewerId: string | null): Sql {
  const person = sql`json_build_object(
    'written', written.username, 'id', there.id, 'username', there.username
  )`;
  return accountsIn(text, viewerId, person);
}
