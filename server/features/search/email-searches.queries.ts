import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

/**
 * Whether `subject` may compare `query` with emails: it did so within the last hour already, or
 * had fewer than `most` different queries in it. One statement and one row a subject: its lock
 * makes a hundred at once get no further than one after the other. Primary key.
 */
export async function admitEmailSearch(
  db: Database,
  { subject, query, most }: { subject: string; query: string; most: number },
): Promise<boolean> {
  const now = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const asked = sql`jsonb_build_object(${query}::text, ${now})`;
  const [row] = await db.prepared<{ admitted: boolean }>(
    "search.admit-email",
    sql`
      insert into email_searches as e (subject, queries, expires_at)
      values (${subject}, ${asked}, now() + interval '1 hour')
      on conflict (subject) do update set
        queries = (
          select case
            when recent.queries ? ${query}::text or recent.count >= ${most}::integer
              then recent.queries
            else recent.queries || ${asked}
          end
          from (
            select coalesce(jsonb_object_agg(key, value), '{}') as queries, count(*) as count
            from jsonb_each(e.queries)
            where value::bigint > ${now} - 3600000
          ) recent
        ),
        expires_at = now() + interval '1 hour'
      returning e.queries ? ${query}::text as admitted
    `.compile(db.kysely),
  );
  return row?.admitted ?? false;
}

export async function deleteEmailSearches(db: Database, subject: string): Promise<void> {
  await sql`delete from email_searches where subject = ${subject}`.execute(db.kysely);
}

/** Deletes the counts of whom nothing was asked for an hour. Index email_searches_expired. */
export async function sweepEmailSearches(db: Database): Promise<void> {
  await sql`delete from email_searches where expires_at < now()`.execute(db.kysely);
}
