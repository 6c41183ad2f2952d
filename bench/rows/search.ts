import pg from "pg";
import { createDatabase, type Database } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { createSearch } from "#server/features/people/search/search.ts";
import { crowd } from "#server/test/crowd.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import { below, randomOf, type Random } from "../graph/random.ts";
import { pick } from "../graph/words.ts";
import type { Installation } from "../installation.ts";
import { inFull, median, type Figure } from "../table.ts";

const queries = [
  ["s", "one letter, many words begin with it"],
  ["林", "one character, in every twentieth name"],
  ["st", "two letters, in many names"],
  ["小林", "two characters, a whole surname"],
  ["qx", "two letters, nobody has them"],
  ["ran", "three letters, in many names"],
  ["stellan", "seven letters, in some names"],
] as const;

const tries = 15;

/**
 * The most rows that a search may read: four lots of candidates, and the accounts shown. Where there
 * are no more than a thousand, PostgreSQL may as well read and sort them all.
 */
const mostRows = (accounts: number): number =>
  4 * limits.searchCandidates + 4 * (limits.accountsPage + 1) + 20 + (accounts > 1000 ? 0 : 1000);

/** What a search costs among so many accounts, in a database of its own. */
export async function searchFigures(
  { connection }: Installation,
  accounts: number,
): Promise<Figure[]> {
  const database = `search_${accounts}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${database}`);
  const own = { ...connection, database };
  await migrate({ connection: own });
  const db = createDatabase({ connection: own, log: { warn: () => {}, error: console.error } });
  try {
    const random = randomOf(1, "search", accounts);
    for (let left = accounts; left > 0; left -= 5000) {
      await crowd(db, Math.min(left, 5000), () => nameOf(random));
    }
    await query(db, "vacuum (analyze)");
    const figures: Figure[] = [];
    const most = mostRows(accounts);
    for (const [text, about] of queries) {
      const { rows, buffers, ms } = await measure(db, text);
      figures.push({
        what: `Search for ${text} (${about}) among ${inFull(accounts)} accounts: rows read`,
        value: `${inFull(rows)} (and ${inFull(buffers)} buffers, ${ms.toFixed(1)} ms)`,
        goal: `≤ ${inFull(most)}`,
        met: rows <= most,
      });
    }
    return [...figures, await indexFigure(db, accounts)];
  } finally {
    await db.close();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}

async function measure(db: Database, text: string) {
  const search = (on: Database) =>
    createSearch({ db: on, secret: "", limited: false }).accounts(null, text, null);
  const costs = [await costsOf(db, search, "generic"), await costsOf(db, search, "custom")].flat();
  const times: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const started = performance.now();
    await search(db);
    times.push(performance.now() - started);
  }
  return {
    rows: Math.max(...costs.map(({ rowsRead }) => rowsRead)),
    buffers: Math.max(...costs.map((cost) => cost.buffers)),
    ms: median(times),
  };
}

/** What the migration does to an installation of that size, and what the index takes. */
async function indexFigure(db: Database, accounts: number): Promise<Figure> {
  const started = performance.now();
  await query(db, "reindex index accounts_search_grams");
  const seconds = (performance.now() - started) / 1000;
  const [row] = await query<{ bytes: string }>(
    db,
    "select pg_relation_size('accounts_search_grams') as bytes",
  );
  const megabytes = (Number(row?.bytes) / 1e6).toFixed(1);
  return {
    what: `The index of ${inFull(accounts)} names: made anew, and its size`,
    value: `${seconds.toFixed(1)} s, ${megabytes} MB`,
    goal: "",
    met: null,
  };
}

const firstNames =
  "Ada Sara Stellan Frank Miranda Anna Oskar Ines Byron Quentin Bao Chidi Kaya Lars".split(" ");
const syllables = "ste ran ko mi bra sal ven do ri la ny ghu ber tas".split(" ");

/** Nine in ten of syllables, the others in scripts that set no spaces. */
function nameOf(random: Random): string {
  const kind = below(random, 20);
  if (kind === 0) return `${pick(random, ["陽子", "花子", "太郎"])} 小林`;
  if (kind === 1) return `${pick(random, ["김", "이", "박"])}${pick(random, ["지은", "철수"])}`;
  const second = Array.from({ length: 2 + below(random, 2) }, () => pick(random, syllables));
  return `${pick(random, firstNames)} ${second.join("")}`;
}
