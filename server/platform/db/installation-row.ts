import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

type InstallationRow = {
  secretsHash: Buffer | null;
  picturesId: string | null;
  picturesAt: string | null;
};

/** What this database knows of the installation as a whole. */
export async function readInstallation(db: Database): Promise<InstallationRow> {
  const rows = await db.query<InstallationRow>(sql`
    select secrets_hash as "secretsHash", pictures_id as "picturesId", pictures_at as "picturesAt"
    from installation
  `);
  return rows[0] ?? { secretsHash: null, picturesId: null, picturesAt: null };
}

/** The first who comes decides; answers the hash that holds from now on. */
export async function claimSecretsHash(db: Database, hash: Buffer): Promise<Buffer> {
  const rows = await db.query<{ hash: Buffer }>(sql`
    update installation set secrets_hash = coalesce(secrets_hash, ${hash}) returning secrets_hash as hash
  `);
  return rows[0]?.hash ?? hash;
}

export async function replaceSecretsHash(db: Database, hash: Buffer): Promise<void> {
  await db.query(sql`update installation set secrets_hash = ${hash}`);
}

/** The first who comes decides; answers the id that holds from now on. */
export async function claimImageStoreId(db: Database, id: string): Promise<string> {
  const rows = await db.query<{ id: string }>(sql`
    update installation set pictures_id = coalesce(pictures_id, ${id}::uuid) returning pictures_id as id
  `);
  return rows[0]?.id ?? id;
}

/**
 * The first who comes decides where pictures lie, and whoever moves them from there; answers what holds from
 * now on. A folder that they are moved to is claimed anew.
 */
export async function claimImageStore(db: Database, to: string, from: string): Promise<string> {
  const rows = await db.query<{ at: string }>(sql`
    update installation set
      pictures_at = case when coalesce(pictures_at, ${from}) in (${from}, ${to}) then ${to} else pictures_at end,
      pictures_id = case when pictures_at = ${from} and ${to === "folder" && from !== to}::boolean
        then null else pictures_id end
    returning pictures_at as at
  `);
  return rows[0]?.at ?? to;
}

export async function forgetImageStore(db: Database): Promise<void> {
  await db.query(sql`update installation set pictures_id = null, pictures_at = null`);
}
