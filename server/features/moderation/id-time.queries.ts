import { sql, type Sql } from "#server/platform/db/sql.ts";

/** The moment of a UUIDv7, epoch ms: its first 48 bits. */
export function idTime(id: string): Sql {
  return sql`('x' || translate(left(${sql.ref(id)}::text, 13), '-', ''))::bit(48)::bigint`;
}

/** A timestamptz as epoch ms; null stays null. */
export function epoch(column: string): Sql {
  return sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
}

/** The outcome of the answer to a row `v` of verdicts; null where nothing was decided. */
export const outcomeOf = sql`case when v.outcome is not null then json_build_object(
  'kept', v.outcome = 'kept', 'reason', v.outcome_reason, 'at', ${epoch("v.outcome_at")}
) end`;
