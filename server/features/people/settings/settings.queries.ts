import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields, setFields } from "#server/platform/db/fields.ts";
import { isRetired } from "#server/features/people/accounts/retired-usernames.queries.ts";
import { visibleAccount } from "#server/features/people/accounts/visibility.queries.ts";
import type { ChosenLanguages } from "#shared/languages.ts";
import { settings, type Switches } from "#shared/settings.ts";
import type { OwnSettings } from "#shared/views.ts";

const languages = {
  language: { column: "language" },
  postingLanguage: { column: "posting_language" },
} as const satisfies Record<keyof ChosenLanguages, { column: string }>;

/** `days` between two changes of a username. Primary key. */
export const readSettings = (db: Database, accountId: string, days: number) =>
  db.value<OwnSettings>(sql.named("settings.get")`
    select json_build_object(
      'username', a.username,
      'usernameFixedUntil', case when ${fixed(days)}
        then floor(extract(epoch from ${freeAt(days)}) * 1000)
      end,
      'email', a.email_as_typed,
      ${jsonFields("a", languages)},
      ${jsonFields("a", settings)}
    ) as item
    from accounts a
    where a.id = ${accountId} and ${visibleAccount("a")}
  `);

const freeAt = (days: number) =>
  sql`(a.username_changed_at + make_interval(days => ${days}::integer))`;
const fixed = (days: number) => sql`coalesce(${freeAt(days)} > now(), false)`;

export type LockedNames = {
  username: string;
  full_name: string;
  /** whole seconds until the username may change again; null when it may now */
  fixed_for: number | null;
};

/** The account's names, locked until the transaction ends. */
export const lockNames = (db: Database, accountId: string, days: number) =>
  db.first<LockedNames>(sql.named("settings.lock-names")`
    select a.username, a.full_name,
      case when ${fixed(days)}
        then ceil(extract(epoch from ${freeAt(days)} - now()))::integer
      end as fixed_for
    from accounts a
    where a.id = ${accountId} and ${visibleAccount("a")}
    for no key update
  `);

/**
 * Writes a username that the account may take: `accounts` first, as a sign-up does, so that the
 * two never wait for each other. False when it is or was another account's, deleted ones included.
 * Unique keys accounts_username_key and usernames_pkey decide.
 */
export async function writeUsername(
  db: Database,
  { accountId, username, searchName }: { accountId: string; username: string; searchName: string },
): Promise<boolean> {
  await db.run(sql`
    update accounts set username = ${username}, search_name = ${searchName},
      username_changed_at = now(), updated_at = now()
    where id = ${accountId}
  `);
  // The account's own former name is there already, and stays.
  const rows = await db.query<{ owner: string }>(sql`
    insert into usernames (username, account_id) values (${username}, ${accountId})
    on conflict (username) do update set username = excluded.username
    returning account_id as owner
  `);
  return rows[0]?.owner === accountId && !(await isRetired(db, username));
}

/** Whether the owner neither chose, nor changed, nor kept it. Primary key. */
export const isUsernameUndecided = (db: Database, accountId: string) =>
  db.any(sql`
    select 1 from accounts
    where id = ${accountId} and username_changed_at is null and username_kept_at is null
  `);

export const keepUsername = (db: Database, accountId: string) =>
  db.run(sql`
    update accounts set username_kept_at = now() where id = ${accountId} and username_kept_at is null
  `);

/** Changes those in `wanted`; the others stay. False when the account is gone. */
export function writeSettings(db: Database, accountId: string, wanted: Partial<Switches>) {
  return write(db, accountId, setFields(settings, wanted));
}

/** Likewise. Null: what the browser asks for; what the screens are in. */
export function writeLanguages(db: Database, accountId: string, wanted: Partial<ChosenLanguages>) {
  return write(db, accountId, setFields(languages, wanted));
}

const write = (db: Database, accountId: string, fields: Sql[]) =>
  db.any(sql`
    update accounts set ${sql.join([...fields, sql`updated_at = now()`])}
    where id = ${accountId} and ${visibleAccount()}
    returning id
  `);
