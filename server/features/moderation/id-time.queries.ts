import type { RawBuilder } from "kysely";
import { sql } from "#server/db/sql.ts";

/** The moment of a UUIDv7, epoch ms: its first 48 bits. */
export function idTime(id: string): RawBuilder<number> {
  return sql<number>`('x' || translate(left(${sql.ref(id)}::text, 13), '-', ''))::bit(48)::bigint`;
}

/** A timestamptz as epoch ms; null stays null. */
export function epoch(column: string): RawBuilder<number | null> {
  return sql<number | null>`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
}
