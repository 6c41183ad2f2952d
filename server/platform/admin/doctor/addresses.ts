import { note, ok, problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import type { Config } from "#server/config.ts";
import { reason } from "#server/platform/db/database-faults.ts";
import { examineAddresses } from "#server/platform/db/pooler.ts";
import { examineReplica } from "#server/platform/db/replica.ts";

type Addresses = Pick<Config, "databaseUrl" | "databaseDirectUrl" | "databaseReadUrl">;

/** Whether the addresses of an external PostgreSQL lead to the right servers. Throws one sentence. */
export async function checkAddresses(config: Addresses): Promise<Finding[]> {
  if (config.databaseUrl === null) return [];
  const connection = { connectionString: config.databaseUrl };
  const { direct, pooler } = await examineAddresses(connection, config.databaseDirectUrl);
  return [
    poolerFinding(config, pooler),
    await replicaFinding(direct, config.databaseReadUrl),
  ].filter((finding) => finding !== null);
}

function poolerFinding(
  { databaseDirectUrl }: Addresses,
  pooler: { prepares: boolean } | null,
): Finding | null {
  if (databaseDirectUrl === null) return null;
  if (!pooler) {
    return note(
      "Pooler",
      "DATABASE_URL leads to no pooler in transaction mode, so DATABASE_DIRECT_URL isn't needed.",
    );
  }
  if (!pooler.prepares) {
    return note(
      "Pooler",
      "It keeps no prepared statements, so PostgreSQL plans each one anew. PgBouncer 1.21 does: see max_prepared_statements.",
    );
  }
  return ok("Pooler", "DATABASE_DIRECT_URL leads past it to the same database.");
}

async function replicaFinding(
  primary: { connectionString?: string | undefined },
  databaseReadUrl: string | null,
): Promise<Finding | null> {
  if (databaseReadUrl === null) return null;
  const why = await examineReplica(primary, { connectionString: databaseReadUrl }).catch(
    (error: unknown) => `it can't be reached: ${reason(error)}`,
  );
  return why === null
    ? ok("Replica", "It follows the database.")
    : problem(
        "Replica",
        `It isn't read, and the database does all the work: ${why}. Look at DATABASE_READ_URL.`,
      );
}
