import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** `wait`: milliseconds until another query is allowed. */
type Admission = { admitted: boolean; wait: number };

/**
 * Whether `subject` may compare all of `queries`, one at least and each once, with emails: those it
 * sent within the last hour already, and others as long as there are fewer than `most` in it. One
 * statement and one row a subject: its lock makes a hundred at once get no further than one after
 * the other. Primary key.
 */
export async function admitEmailSearches(
  db: Database,
  { subject, queries, most }: { subject: string; queries: readonly string[]; most: number },
): Promise<Admission> {
  const now = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const asked = sql`unnest(${queries}::text[]) with ordinality as asked (query, place)`;
  return db.one<{ admitted: boolean; wait: number }>(sql.named("search.admit-emails")`
    insert into email_searches as e (subject, queries, expires_at)
    values (
      ${subject},
      (select jsonb_object_agg(query, ${now}) from ${asked} where place <= ${most}::integer),
      now() + interval '1 hour'
    )
    on conflict (subject) do update set
      queries = (
        select recent.queries || coalesce(
          (
            select jsonb_object_agg(fresh.query, ${now})
            from (
              select query from ${asked}
              where not recent.queries ? query
              order by place
              limit greatest(0, ${most}::integer - recent.count)
            ) fresh
          ),
          '{}'
        )
        from (
          select coalesce(jsonb_object_agg(key, value), '{}') as queries, count(*) as count
          from jsonb_each(e.queries)
          where value::bigint > ${now} - 3600000
        ) recent
      ),
      expires_at = now() + interval '1 hour'
    returning
      e.queries ?& ${queries}::text[] as admitted,
      (
        select (min(value::bigint) + 3600000 - ${now})::integer from jsonb_each(e.queries)
      ) as wait
  `);
}

/**
 * Those of `emails`, in lower case, whose owners show them to everybody and are found by them:
 * naming one is not guessing. accounts_email_key.
 */
export async function shownEmails(db: Database, emails: readonly string[]): Promise<Set<string>> {
  const found = await db.column<string>(sql.named("search.shown-emails")`
    select email from accounts
    where email = any(${emails}::text[]) and show_email and findable_by_email
  `);
  return new Set(found);
}

export const deleteEmailSearches = (db: Database, subject: string) =>
  db.run(sql`delete from email_searches where subject = ${subject}`);

/** Deletes the counts of subjects without a query for an hour. Index email_searches_expired. */
export const sweepEmailSearches = (db: Database) =>
  db.run(sql`delete from email_searches where expires_at < now()`);
