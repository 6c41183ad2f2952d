import { join } from "node:path";
import { hasSecrets, loadSecrets, type Secrets } from "#server/data-dir.ts";
import type { Database } from "#server/db/database.ts";
import { hasAccounts } from "#server/features/people/index.ts";

/**
 * The secrets in DATA_DIR, made where they are missing and nobody can miss them. Throws one sentence
 * beside a database that has accounts: new ones would end every session, push and second step there.
 */
export async function openSecrets(dataDir: string, db: Database): Promise<Secrets> {
  if (hasSecrets(dataDir) || !(await hasAccounts(db))) return loadSecrets(dataDir);
  throw new Error(
    `${join(dataDir, "secrets.json")} is missing, but the database has accounts: put it back from ` +
      `your backup, or, if it is lost, make new secrets with "npm run admin -- new-secrets".`,
  );
}
