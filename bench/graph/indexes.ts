import type pg from "pg";

/** An index, or the constraint that has it, as it was made. */
type Index = {
  table: string;
  name: string;
  /** of a constraint: made by ALTER TABLE */
  constraint: string | null;
  definition: string;
  /** what ALTER INDEX changed, which is not in the definition */
  targets: { column: number; target: number }[] | null;
};

/**
 * Does some work without the indexes of these tables, and makes them again as they were: sorting a million
 * entries once is several times cheaper than inserting each. Those that a foreign key points to stay.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
  timed: (what: string, work: () => Promise<unknown>) => Promise<unknown> = (_, each) => each(),
): Promise<void> {
  const { rows: indexes } = await client.query<Index>(
    `select i.indrelid::regclass::text as table, c.relname as name,
      pg_get_constraintdef(k.oid) as constraint, pg_get_indexdef(i.indexrelid) as definition,
      (select json_agg(json_build_object('column', a.attnum, 'target', a.attstattarget))
        from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget >= 0) as targets
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
    where i.indrelid = any ($1::regclass[])
      and not exists (
        select from pg_constraint f where f.conindid = i.indexrelid and f.contype = 'f')
    order by i.indexrelid`,
    [tables],
  );
  const quoted = (name: string) => client.escapeIdentifier(name);
  for (const { table, name, constraint } of indexes) {
    await client.query(
      constraint
        ? `alter table ${table} drop constraint ${quoted(name)}`
        : `drop index ${quoted(name)}`,
    );
  }
  await work();
  await client.query("set local maintenance_work_mem = '512MB'");
  for (const { table, name, constraint, definition, targets } of indexes) {
    await timed(`index ${name}`, () =>
      client.query(
        constraint
          ? `alter table ${table} add constraint ${quoted(name)} ${constraint}`
          : definition,
      ),
    );
    for (const { column, target } of targets ?? []) {
      await client.query(
        `alter index ${quoted(name)} alter column ${column} set statistics ${target}`,
      );
    }
  }
}
