import type { Database } from "#server/platform/db/database.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";

/** A counter that does not match its rows; `id` identifies it. */
export type Difference = { counter: string; id: string; stored: number; counted: number };

/** Statements that repair the counters with these ids, in a transaction. */
type Repair = (ids: Sql) => Sql[];

/** A table's counters. */
type Counter = {
  /** the last column identifies the counter */
  key: readonly string[];
  /** what each column counts, for a row `c` */
  columns: Record<string, string>;
  /** those that cannot be computed, only set by somebody who knows the row */
  unsettable?: readonly string[];
  /** creates missing rows */
  make?: (ids: Sql) => Sql;
};

/** What the product counts, and what it stores twice. */
export type Counted = {
  counters: Readonly<Record<string, Counter>>;
  /** other comparisons, as rows of a counter, its id, the stored value and the counted one */
  others: readonly Sql[];
  /** by the first word of those counters' names; they run before the tables' own */
  repairs: Readonly<Record<string, Repair>>;
};

/** Rows that are locked at once: writers to them wait. */
const batch = 500;
/** Repairing what is stored twice changes counters that were right until then. */
const mostRounds = 3;

/** Compares counters with what they count, and repairs them. */
export function createCounters({ counters, others, repairs }: Counted) {
  const compared = Object.entries(counters).flatMap(([table, { key, columns }]) =>
    Object.entries(columns).map(([column, count]) =>
      sql.raw(
        `select '${table}.${column}', c.${key.at(-1)}, c.${column}, (${count}) from ${table} c`,
      ),
    ),
  );
  const all = sql.join([...compared, ...others], sql` union all `);
  const own = Object.entries(counters).map(([table, counter]) => [table, repairOf(table, counter)]);
  const everyRepair: Record<string, Repair> = { ...repairs, ...Object.fromEntries(own) };

  /**
   * Compares every counter with the rows it counts, and the two copies of what is stored twice. It reads
   * whole tables in one snapshot and changes nothing: for tests and for operators.
   */
  function reconcileCounters(db: Database): Promise<Difference[]> {
    return db.query<Difference>(sql`
      with compared (counter, id, stored, counted) as (${all})
      select counter, id, stored::float8, counted::float8 from compared
      where stored <> counted
      order by counter, id
    `);
  }

  /**
   * Sets the counters that were found to what their rows say, while the server runs: each row is locked,
   * then counted, then written, so that what members do meanwhile is counted once. Returns the differences
   * that are left, for somebody who knows the row to look at.
   */
  async function repairCounters(db: Database, found: Difference[]): Promise<Difference[]> {
    let left = found;
    for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
      for (const [kind, repair] of Object.entries(everyRepair)) {
        const ids = left
          .filter(({ counter }) => counter.split(".")[0] === kind)
          .map(({ id }) => id);
        for (let start = 0; start < ids.length; start += batch) {
          const some = sql`any(${ids.slice(start, start + batch)}::uuid[])`;
          await db.transaction(async () => {
            for (const statement of repair(some)) await db.run(statement);
          });
        }
      }
      left = await reconcileCounters(db);
    }
    return left;
  }

  return { reconcileCounters, repairCounters };
}

export type Counters = ReturnType<typeof createCounters>;

/** The lock comes before the count, whose snapshot must be newer. */
function repairOf(table: string, { key, columns, unsettable = [], make }: Counter): Repair {
  const [name, keys] = [sql.raw(table), sql.raw(key.join(", "))];
  const id = sql.raw(key.at(-1) ?? "");
  const settable = Object.entries(columns).filter(([column]) => !unsettable.includes(column));
  const set = sql.raw(settable.map(([column, count]) => `${column} = (${count})`).join(", "));
  return (ids) => [
    ...(make ? [make(ids)] : []),
    sql`select from ${name} where ${id} = ${ids} order by ${keys} for update`,
    sql`update ${name} c set ${set} where c.${id} = ${ids}`,
  ];
}
