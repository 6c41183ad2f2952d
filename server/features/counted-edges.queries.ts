import type { Database } from "#server/db/database.ts";
import { probe } from "#server/db/probes.ts";
import { sql, type Sql } from "#server/db/sql.ts";

/**
 * A row between a member and a post, a comment or another member (a like, a save, a follow), and what counts
 * such rows. It is there once or not at all, and what counts it changes in the statement that writes it.
 */
export type Edge = {
  table: string;
  /** its primary key, in that order */
  key: readonly string[];
  /** columns that it has besides, and its id */
  more?: readonly string[];
  counters: readonly Counter[];
};

/** A column that counts edges, and where its row has what the edge has. */
type Counter = { table: string; column: string; at: Readonly<Record<string, string>> };

type Change = {
  edge: Edge;
  /** what the statement is prepared as */
  name: string;
  /**
   * Locks what counts the edge, if it is there to be seen: a query with a row or none, which has the columns of the
   * edge but its id, and whatever is asked for besides. What a lock waited for may be newer than the statement:
   * of the tables that it locks it selects the latest, of all others what there was when it began.
   */
  held: Sql;
  /** further parts of the statement, which may refer to the row that came or went as `changed` */
  along?: Sql;
};

/** `changed`: the id of the edge that came or went; null where nothing did. */
export type Changed<Held> = Held & { changed: string | null };

/** Writes an edge that was not there, and counts it. Null where there is nothing to write one to. */
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

/** Deletes an edge that was there, and counts it off. */
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
 * By its id, too: an index that begins as the primary key does would look as cheap, and leads to all likes of a
 * post (probe).
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
  const [row] = await db.prepared<Changed<Held>>(
    name,
    sql`
      with held as materialized (${held}),
      ${sql.join(parts)}
      select held.*, (select id from changed) as changed from held
    `,
  );
  return row ?? null;
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
