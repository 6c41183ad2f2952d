import { readFileSync } from "node:fs";
import type { PoolConfig } from "pg";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { mixedStatements, nobodys, ownedBy } from "#server/test/owners-written.ts";
import { query } from "#server/test/query.ts";
import { createSenders, mayWriteSeveral, unnamed } from "#server/test/several-owners.ts";

/*
 * A statement writes rows of one owner, which machines that divide the tables by owner will ask for. Every test
 * file on a database looks at all that was written there; here is what that look sees.
 */
let db: Database;
let connection: PoolConfig;

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
});

test("a statement that writes rows of two owners is found, with the function that sent it", async () => {
  const senders = createSenders();
  const on = testFeatures(senders.heard(db));
  const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  expect(await mixedStatements(connection), "what one person's act writes").toEqual([]);
  await on.follows.follow(ada, bob.id);
  const [follow, ...others] = await mixedStatements(connection);
  expect(others).toEqual([]);
  expect(follow?.wrote.split(", ").toSorted()).toEqual([
    "insert followers",
    "insert follows",
    "update account_counters",
  ]);
  const text = follow?.text ?? "";
  expect(senders.of(text)).toBe("people/follows/follows.queries.ts insertFollow");
  expect(unnamed([{ text, wrote: "" }], senders.of), "it is in the list").toEqual([]);

  await query(db, "update account_counters set posts = posts where account_id = any($1)", [
    [ada.id, bob.id],
  ]);
  const mixed = await mixedStatements(connection);
  expect(unnamed(mixed, senders.of), "what tests write").toEqual([]);
  const planted = (sent: string) =>
    sent === text ? senders.of(text) : "posts/new.queries.ts touchBoth";
  expect(unnamed(mixed, planted)).toEqual([
    "posts/new.queries.ts touchBoth: update account_counters",
  ]);
});

test("rows that a foreign key deletes along, or a trigger changes, are part of the statement", async () => {
  const on = testFeatures(db);
  const [cleo, dora] = [await on.member("Cleo"), await on.member("Dora")];
  await on.blocks.block(cleo, dora.id);
  await query(db, "delete from accounts where id = $1", [cleo.id]);
  const mixed = await mixedStatements(connection);
  expect(mixed.find(({ text }) => text.startsWith("delete from accounts"))?.wrote).toContain(
    "delete blocks",
  );
});

test("the list of those that may names functions that exist", () => {
  for (const [file, functions] of Object.entries(mayWriteSeveral)) {
    const source = readFileSync(new URL(file, import.meta.url), "utf8");
    for (const name of Object.keys(functions).filter((each) => each !== "callback")) {
      expect(source, `${file} has ${name}`).toMatch(
        new RegExp(String.raw`\b(function|const) ${name}\b`),
      );
    }
  }
});

test("what belongs to nobody, and what is found by a secret, are tables that exist", async () => {
  const rows = await query<{ name: string }>(
    db,
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const tables = new Set(rows.map(({ name }) => name));
  expect([...nobodys, ...Object.keys(ownedBy)].filter((name) => !tables.has(name))).toEqual([]);
});

/** Unique beyond their owner, which divided tables cannot enforce, and why they can do without. */
const acrossOwners = {
  "ids and secrets made at random, unique without an index: what an address, a cookie, a mail or an app names":
    [
      "albums_by_id",
      "app_push_subscriptions_token_id_key",
      "app_tokens_id_key",
      "exports_id",
      "imports_id",
      "moderation_cases_id",
      "provider_attempts_state_hash_key",
      "sessions_readable_token",
      "sessions_token_hash",
      "shared_links_id",
      "shared_links_token",
    ],
  "addresses of images, made of their id and their bytes": [
    "images_key_key",
    "imported_pictures_key_key",
    "message_pictures_key_key",
  ],
  "what somebody else gives out, and may be one account's only: a table of its own would have to hold it":
    ["credentials_subject", "passkeys_credential_id_key", "push_subscriptions_endpoint"],
  "one conversation for two, one open case for what is reported": [
    "conversations_pair",
    "moderation_cases_open",
    "moderation_cases_waiting",
  ],
};

test("unique keys that do not begin with their owner are named", async () => {
  const rows = await query<{ name: string; table: string; columns: string[]; id: boolean }>(
    db,
    `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns
     from pg_index i join pg_class r on r.oid = i.indrelid
     where i.indisunique and not i.indisprimary and r.relnamespace = 'public'::regnamespace`,
  );
  const firsts = await query<{ table: string; first: string }>(
    db,
    `select c.conrelid::regclass::text as table, a.attname as first
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'p' and c.connamespace = 'public'::regnamespace`,
  );
  const owner = new Map(firsts.map(({ table, first }) => [table, ownedBy[table] ?? first]));
  const found = rows
    .filter(
      ({ table, columns }) => !nobodys.includes(table) && !columns.includes(owner.get(table) ?? ""),
    )
    .map(({ name }) => name);
  expect(found.toSorted()).toEqual(Object.values(acrossOwners).flat().toSorted());
});
