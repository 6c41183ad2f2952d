import { sql, type Sql } from "#server/platform/db/sql.ts";

/** Fields that are declared once, by their names in views, each with its column. */
type Fields = Readonly<Record<string, { column: string }>>;

/** `'showEmail', a.show_email, …`: what json_build_object makes of a row. */
export function jsonFields(row: string, fields: Fields): Sql {
  return sql.join(
    Object.entries(fields).map(
      ([name, { column }]) => sql`${sql.lit(name)}, ${sql.ref(`${row}.${column}`)}`,
    ),
  );
}

/** `a.first_name as "firstName", …`: the list of a select. */
export function selectFields(row: string, fields: Fields): Sql {
  return sql.join(
    Object.entries(fields).map(
      ([name, { column }]) => sql`${sql.ref(`${row}.${column}`)} as ${sql.ref(name)}`,
    ),
  );
}

/** `show_camera, …`: the columns that an insert fills. */
export function columnsOf(fields: Fields): Sql {
  return sql.join(Object.values(fields).map(({ column }) => sql.ref(column)));
}

/** `show_email = $1, …`: those that have a value. */
export function setFields(fields: Fields, values: Readonly<Record<string, unknown>>): Sql[] {
  return Object.entries(fields).flatMap(([name, { column }]) =>
    values[name] === undefined ? [] : [sql`${sql.ref(column)} = ${values[name]}`],
  );
}
