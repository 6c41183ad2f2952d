import pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import { createSearch } from "#server/features/people/search/search.ts";
import { limits } from "#shared/limits.ts";
import type { Installation } from "../installation.ts";
import { inFull, type Figure } from "../table.ts";
import { withTemporaryDatabase, readCost, type ReadCost } from "../temporary-database.ts";

const queries = [
  ["s", "one letter, many words begin with it"],
  ["林", "one character, in every twentieth name"],
  ["st", "two letters, in many names"],
  ["小林", "two characters, a whole surname"],
  ["qx", "two letters, nobody has them"],
  ["ran", "three letters, in many names"],
  ["stellan", "seven letters, in some names"],
  ["anna", "one in ten is called that"],
  ["member", "in every username"],
  ["member_77@example.org", "a whole email"],
  ["nobody@example.org", "a whole email of nobody"],
  ["@example.org", "the domain of every email"],
  ["example.org", "the same without its sign"],
  ["member_5555", "rare, of pieces that everybody has"],
  ["5555", "four digits in a row, in some usernames"],
  ["555@example.org", "rare, with the domain of every email"],
] as const;

/**
 * The most rows that a search may read: four sets of candidates, and the accounts shown. If there are no more
 * than a thousand, PostgreSQL may as well read and sort them all.
 */
const mostRows = (accounts: number): number =>
  4 * limits.searchCandidates + 4 * (limits.accountsPage + 1) + 20 + (accounts > 1000 ? 0 : 1000);

/** What searches cost among so many accounts, in separate databases, and how that grows. */
export async function searchFigures(
  installation: Installation,
  sizes: readonly number[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const buffers = new Map<string, number[]>();
  for (const accounts of sizes) {
    await withTemporaryDatabase(installation, `search_${accounts}`, async (db, connection) => {
      // Separate: a million accounts take longer than the product lets a statement run.
      const client = new pg.Client(connection);
      await client.connect();
      await settle(client, accounts);
      const most = mostRows(accounts);
      for (const [text, about] of queries) {
        const cost = await measure(db, text);
        buffers.set(text, [...(buffers.get(text) ?? []), cost.buffers]);
        figures.push({
          what: `Search for ${text} (${about}) among ${inFull(accounts)} accounts: rows read`,
          value: `${inFull(cost.rows)} (and ${inFull(cost.buffers)} buffers, ${cost.ms.toFixed(1)} ms)`,
          goal: `≤ ${inFull(most)}`,
          met: cost.rows <= most,
        });
      }
      figures.push(await indexFigure(client, accounts));
      await client.end();
    });
  }
  return [...figures, growthFigure(sizes, buffers)];
}

/** Towns of a thousand are read completely: what a search reads there is the limit for a bigger one. */
function growthFigure(
  sizes: readonly number[],
  buffers: ReadonlyMap<string, readonly number[]>,
): Figure {
  const growth = [...buffers].map(([text, [first = 1, ...more]]) => ({
    text,
    ratio: Math.max(...more, first) / first,
  }));
  const worst = growth.toSorted((one, other) => other.ratio - one.ratio)[0];
  return {
    what: `Searches from ${inFull(sizes[0] ?? 0)} to ${inFull(sizes.at(-1) ?? 0)} accounts: buffers of the worst`,
    value: `${worst?.ratio.toFixed(2)} × (${worst?.text})`,
    goal: "≤ 1.5 ×",
    met: (worst?.ratio ?? 0) <= 1.5,
  };
}

function measure(db: Database, text: string): Promise<ReadCost> {
  const search = (on: Database) =>
    createSearch({ db: on, secret: "", limited: false }).accounts(null, text, null);
  return readCost(db, search);
}

/** How long the migration takes for an installation of that size, and how large the index is. */
async function indexFigure(client: pg.Client, accounts: number): Promise<Figure> {
  const started = performance.now();
  await client.query("reindex index accounts_search_grams");
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_relation_size('accounts_search_grams') as bytes",
  );
  const megabytes = (Number(rows[0]?.bytes) / 1e6).toFixed(1);
  return {
    what: `The index of ${inFull(accounts)} names: made anew, and its size`,
    value: `${seconds.toFixed(1)} s, ${megabytes} MB`,
    goal: "",
    met: null,
  };
}

/**
 * Any number of accounts in one statement, a million in minutes: one in ten is called Anna, one in twenty 小林
 * and one in twenty 이박, the others are of syllables, and all have one domain. The same accounts for the same
 * number.
 */
async function settle(client: pg.Client, accounts: number): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexname as name, indexdef as text from pg_indexes
    where tablename = 'accounts' and indexname <> 'accounts_pkey'`,
  );
  // Trigram indexes are built ten times faster than they are written row by row.
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(
    `insert into accounts (id, username, email, email_as_typed, email_verified, first_name,
      second_name, full_name, search_name)
    select id, username, username || '@example.org', username || '@example.org', true, first, second,
      first || ' ' || second, lower(first || second) || ' ' || username
    from (
      select
        (lpad(to_hex(1700000000000 + n * 1000), 12, '0') || '7' || left(md5(n::text), 3)
          || '8' || substr(md5(n::text), 4, 15))::uuid as id,
        'member_' || n as username,
        case n % 20 when 0 then '陽子' when 1 then '김지은' when 2 then 'Anna' when 3 then 'Anna'
          else (array['Ada','Sara','Stellan','Frank','Miranda','Oskar','Ines','Byron','Quentin','Bao'])
            [1 + (hashint4(n) & 1023) % 10] end as first,
        case n % 20 when 0 then '小林' when 1 then '이박' else (
          select initcap(string_agg(
            (array['ste','ran','ko','mi','bra','sal','ven','do','ri','la','ny','ghu','ber','tas'])
              [1 + (hashint4(n * 7 + place) & 65535) % 14], ''))
          from generate_series(1, 2 + (hashint4(n + 5) & 1)) place
        ) end as second
      from generate_series(1, $1::integer) n
    ) made`,
    [accounts],
  );
  await client.query("insert into account_counters (account_id) select id from accounts");
  for (const { text } of indexes) await client.query(text);
  for (const { name } of indexes.filter((index) => index.name.includes("_grams"))) {
    await client.query(`alter index ${name} alter column 1 set statistics 0`);
  }
  await client.query("vacuum (analyze)");
}
