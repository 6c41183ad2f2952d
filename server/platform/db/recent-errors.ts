import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { LoggedError } from "#shared/operator.ts";

/** How many of the newest are retained. */
const retained = 200;
const shown = 50;

type NewError = { id: string; at: number; message: string; detail: string };

/** Adds errors and removes the oldest. */
export async function saveErrors(db: Database, errors: readonly NewError[]): Promise<void> {
  await db.run(sql`
    insert into recent_errors (id, at, message, detail)
    select id, at, message, detail from json_to_recordset(${JSON.stringify(
      errors.map(({ at, ...error }) => ({ ...error, at: new Date(at).toISOString() })),
    )}::json) as e (id uuid, at timestamptz, message text, detail text)
  `);
  await db.run(sql`
    delete from recent_errors where id < (
      select id from recent_errors order by id desc offset ${retained - 1} limit 1
    )
  `);
}

/** Newest first, by primary key. */
export const listErrors = (db: Database) =>
  db.query<LoggedError>(sql`
    select id, floor(extract(epoch from at) * 1000)::float8 as at, message, detail
    from recent_errors order by id desc limit ${shown}
  `);
