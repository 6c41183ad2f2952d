import pg from "pg";

/*
 * Who owns the rows that a statement writes: triggers in the template of all test databases note the statements
 * that write rows of several owners, so every statement that any test sends is looked at. Each file ends with
 * a look at what was noted (database.ts); server/test/several-owners.ts has the statements that may.
 */

/** Belongs to an account, but its primary key is a secret's hash, or an id of its own: by which column. */
export const ownedBy: Readonly<Record<string, string>> = {
  album_invitations: "owner_id",
  app_codes: "account_id",
  app_tokens: "account_id",
  credentials: "account_id",
  mailed_links: "account_id",
  passkey_challenges: "account_id",
  passkeys: "account_id",
  pending_sign_ins: "account_id",
  provider_attempts: "account_id",
  sessions: "account_id",
};

/**
 * Belongs to no account: what is small and everywhere, what operators see, counts by a key of their own, and
 * queues.
 */
export const nobodys: readonly string[] = [
  "accounts",
  "apps",
  "backup_folders",
  "backup_runs",
  "doctor_round",
  "email_searches",
  "failed_jobs",
  "finished_deletions",
  "home_pending",
  "installation",
  "invitations",
  "moderation_log",
  "newcomers_storage",
  "operator_link",
  "operator_log",
  "operator_settings",
  "rate_limits",
  "read_floors",
  "recent_errors",
  "retired_usernames",
  "schema_migrations",
  "troubles",
  "usernames",
  "verifications",
  "visitor_images",
];

/** A statement that wrote rows of several owners, and what: "insert follows, update account_counters". */
export type Mixed = { text: string; wrote: string };

/** Makes a database note them. */
export async function watchOwners(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(noting);
    for (const { table, owner } of await ownersOf(client)) {
      await client.query(triggersOn(table, owner));
    }
  });
}

export async function mixedStatements(connection: pg.ClientConfig): Promise<Mixed[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<Mixed>(
      "select distinct text, wrote from owners.mixed order by wrote",
    );
    return rows;
  });
}

/** Each table that belongs to accounts or conversations, and the column that says to which. */
async function ownersOf(client: pg.Client): Promise<{ table: string; owner: string }[]> {
  const { rows } = await client.query<{ table: string; first: string }>(`
    select c.conrelid::regclass::text as table, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'p' and c.connamespace = 'public'::regnamespace
  `);
  return rows
    .filter(({ table }) => !nobodys.includes(table))
    .map(({ table, first }) => ({ table, owner: ownedBy[table] ?? first }));
}

/**
 * A statement is known by the moment at which it began, which its connection keeps with the least and the
 * greatest owner so far. Foreign keys that delete along count as part of it.
 */
const noting = `
  create schema owners;
  create unlogged table owners.mixed (
    process integer, began text, text text, wrote text, primary key (process, began)
  );
  create function owners.note(written text, least_owner text, greatest_owner text) returns void
  language plpgsql as $$
  declare
    moment text := extract(epoch from statement_timestamp())::text;
    seen text[] := string_to_array(current_setting('owners.seen', true), '|');
  begin
    if seen[1] is distinct from moment then
      seen := array[moment, least_owner, greatest_owner, written];
    else
      seen := array[
        moment, least(seen[2], least_owner), greatest(seen[3], greatest_owner),
        case when written = any(string_to_array(seen[4], ', ')) then seen[4]
          else seen[4] || ', ' || written end
      ];
    end if;
    perform set_config('owners.seen', array_to_string(seen, '|'), false);
    if seen[2] <> seen[3] then
      insert into owners.mixed values (pg_backend_pid(), moment, current_query(), seen[4])
      on conflict on constraint mixed_pkey do update set wrote = excluded.wrote;
    end if;
  end $$;
`;

const events = [
  ["insert", "new"],
  ["update", "new"],
  ["delete", "old"],
] as const;

const triggersOn = (table: string, owner: string) => `
  create function owners.of_${table}() returns trigger language plpgsql as $$
  declare
    least_owner text;
    greatest_owner text;
  begin
    select min(${owner}::text), max(${owner}::text) into least_owner, greatest_owner from written;
    if least_owner is not null then
      perform owners.note(lower(tg_op) || ' ${table}', least_owner, greatest_owner);
    end if;
    return null;
  end $$;
  ${events
    .map(
      ([event, rows]) => `
  create trigger owners_${event} after ${event} on ${table}
  referencing ${rows} table as written
  for each statement execute function owners.of_${table}();`,
    )
    .join("")}
`;

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
