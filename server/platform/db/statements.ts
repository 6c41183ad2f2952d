import type pg from "pg";
import { compile, sql, type Sql } from "#server/platform/db/sql.ts";

/** Sends a statement as pg takes it. */
export type Send = <Row extends pg.QueryResultRow>(
  config: pg.QueryConfig,
) => Promise<pg.QueryResult<Row>>;

/** The ways to send what the tag made (sql.ts); the caller states the type of the rows. */
export function statementsOver(send: Send) {
  /** Returns the rows of a statement. Without a name it is planned for its values. */
  const query = async <Row extends object>(statement: Sql): Promise<Row[]> => {
    const { name } = statement;
    const { rows } = await send<Row & pg.QueryResultRow>({
      ...(name !== undefined && { name }),
      ...compile(statement),
    });
    return rows;
  };
  /** Returns its first row; null if there is none. */
  const first = async <Row extends object>(statement: Sql): Promise<Row | null> =>
    (await query<Row>(statement))[0] ?? null;
  /** The same for a statement that always returns a row. */
  const one = async <Row extends object>(statement: Sql): Promise<Row> => {
    const row = await first<Row>(statement);
    if (!row) throw new Error("A statement that always returns a row returned none.");
    return row;
  };
  return {
    query,
    first,
    one,
    /** Returns the only column of its rows. */
    column: async <Value>(statement: Sql): Promise<Value[]> =>
      (await query<Record<string, Value>>(statement)).flatMap(Object.values<Value>),
    /** Returns the only column of its first row; null if there is no row. */
    value: async <Value>(statement: Sql): Promise<Value | null> =>
      Object.values<Value>((await first<Record<string, Value>>(statement)) ?? {})[0] ?? null,
    /** The same for a statement that always returns a row, such as an aggregate. */
    scalar: async <Value>(statement: Sql): Promise<Value> =>
      Object.values(await one<Record<string, Value>>(statement))[0] as Value,
    /** How many rows it returns. */
    count: async (statement: Sql): Promise<number> => (await query(statement)).length,
    /** Whether it returns a row: whether something exists, or was changed. */
    any: async (statement: Sql): Promise<boolean> => (await query(statement)).length > 0,
    /** For a statement that returns nothing. */
    run: async (statement: Sql): Promise<void> => void (await query(statement)),
  };
}

/** The same over a connection of its own, outside any pool. */
export const on = (client: pg.ClientBase) => statementsOver((config) => client.query(config));

/** Whether a database has a table: one that is older than the table lacks it. */
export const hasTable = (client: pg.ClientBase, table: string) =>
  on(client).any(sql`select where to_regclass(${table}) is not null`);
