import { sql, type Sql } from "#server/platform/db/sql.ts";

/** A timestamptz as epoch ms; null stays null. */
export function epoch(column: string): Sql {
  return sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
}

/** The outcome of the answer to a row `v` of verdicts; null where nothing was decided. */
export const outcomeOf = sql`case when v.outcome is not null then json_build_object(
  'kept', v.outcome = 'kept', 'reason', v.outcome_reason, 'at', ${epoch("v.outcome_at")}
) end`;
