import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { DoctorFinding, DoctorRound } from "#shared/operator.ts";

/** Whether this process may run the round: there is one at a time, whichever process was asked. */
export const beginRound = (db: Database, longestSeconds: number) =>
  db.any(sql`
    insert into doctor_round (started_at) values (now())
    on conflict (is_only) do update set started_at = now(), ended_at = null, findings = '[]'
      where doctor_round.ended_at is not null
        or doctor_round.started_at < now() - make_interval(secs => ${longestSeconds}::integer)
    returning 1
  `);

export const endRound = (db: Database, findings: readonly DoctorFinding[]) =>
  db.run(sql`
    update doctor_round set ended_at = now(), findings = ${JSON.stringify(findings)}::jsonb
  `);

export const readRound = (db: Database) =>
  db.first<DoctorRound>(sql`
    select floor(extract(epoch from started_at) * 1000)::float8 as "startedAt",
      floor(extract(epoch from ended_at) * 1000)::float8 as "endedAt", findings
    from doctor_round
  `);

/** The name of the newest migration. */
export const readSchema = (db: Database) =>
  db.scalar<string>(sql`
    select name from schema_migrations order by name desc limit 1
  `);
