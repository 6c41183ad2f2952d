import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";

/**
 * A row between a member and a post, a comment or another member (a like, a bookmark, a follow), and the
 * counters of such rows. It exists once or not at all, and its counters change in the statement that writes
 * it.
 */
export type Edge = {
  table: string;
  /** its primary key, in that order */
  key: readonly string[];
  /** its other columns, and its id */
  more?: readonly string[];
  counters: readonly Counter[];
};

/** A column that counts edges, and how to find its row from the edge. */
type Counter = { table: string; column: string; at: Readonly<Record<string, string>> };

type Change = {
  edge: Edge;
  /** the name of the prepared statement */
  name: string;
  /**
   * Locks the rows that count the edge, if they are visible: a query with one row or none, which has the
   * columns of the edge except its id, and whatever else is asked for. After waiting for a lock, a statement
   * may see newer data than it began with: it selects the latest version of the tables that it locks, and of
   * all others what there was when it began.
   */
  held: Sql;
  /** further parts of the statement, which may refer to the inserted or deleted row as `changed` */
  along?: Sql;
};

/** `changed`: the id of the inserted or deleted edge; null where nothing changed. */
export type Changed<Held> = Held & { changed: string | null };

/** Inserts an edge that was not there, and counts it. Null where there is nothing to attach it to. */
export async function insertEdge<Held extends object>(
  db: Database,
  { id, ...change }: Change & { id: string },
): Promise<Changed<Held> | null> {
  const { table, key, more = [] } = change.edge;
  const columns = sql.join([...key, ...more].map((column) => sql.ref(column)));
  return changeEdge(db, change, {
    by: 1,
    changed: sql`
      insert into ${sql.table(table)} (${columns}, id)
      select ${columns}, ${id}::uuid from held
      on conflict do nothing
      returning *
    `,
  });
}

/** Deletes an edge that was there, and subtracts it. */
export async function deleteEdge<Held extends object>(
  db: Database,
  change: Change,
): Promise<Changed<Held> | null> {
  const { edge } = change;
  return changeEdge(db, change, {
    by: -1,
    changed: sql`
      delete from ${sql.table(edge.table)}
      where ${isHeld(edge.key)} and id = (${idOf(edge)})
      returning *
    `,
  });
}

/**
 * By its id, too: an index that begins as the primary key does would look as cheap, and leads to all likes
 * of a post (probe).
 */
function idOf({ table, key }: Edge): Sql {
  const last = key.at(-1) ?? "id";
  return sql`
    select id from ${sql.table(table)}
    where ${isHeld(key.slice(0, -1))} and ${probe(last, heldColumn(last))}
  `;
}

const heldColumn = (column: string) => sql`(select ${sql.ref(column)} from held)`;

const isHeld = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${heldColumn(column)}`),
    sql` and `,
  );

async function changeEdge<Held extends object>(
  db: Database,
  { edge, name, held, along }: Change,
  { by, changed }: { by: 1 | -1; changed: Sql },
): Promise<Changed<Held> | null> {
  const counted = edge.counters.map((counter) => countedPart(counter, by));
  const parts = [sql`changed as (${changed})`, ...counted, ...(along ? [along] : [])];
  return db.first<Changed<Held>>(sql.named(name)`
    with held as materialized (${held}),
    ${sql.join(parts)}
    select held.*, (select id from changed) as changed from held
  `);
}

function countedPart({ table, column, at }: Counter, by: 1 | -1): Sql {
  const counter = sql.ref(column);
  const ofEdge = Object.entries(at).map(
    ([own, edges]) => sql`c.${sql.ref(own)} = changed.${sql.ref(edges)}`,
  );
  return sql`
    ${sql.ref(`${column}_counted`)} as (
      update ${sql.table(table)} c set ${counter} = c.${counter} + ${sql.lit(by)}
      from changed
      where ${sql.join(ofEdge, sql` and `)}
    )
  `;
}
