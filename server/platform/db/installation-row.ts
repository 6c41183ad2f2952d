import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

type InstallationRow = {
  secretsHash: Buffer | null;
  picturesId: string | null;
  picturesAt: string | null;
};

/** What this database stores about the installation as a whole. */
export const readInstallation = (db: Database) =>
  db.one<InstallationRow>(sql`
    select secrets_hash as "secretsHash", pictures_id as "picturesId", pictures_at as "picturesAt"
    from installation
  `);

/** The first caller decides; returns the hash that is valid from now on. */
export async function claimSecretsHash(db: Database, hash: Buffer): Promise<Buffer> {
  const rows = await db.query<{ hash: Buffer }>(sql`
    update installation set secrets_hash = coalesce(secrets_hash, ${hash}) returning secrets_hash as hash
  `);
  return rows[0]?.hash ?? hash;
}

export const replaceSecretsHash = (db: Database, hash: Buffer) =>
  db.run(sql`update installation set secrets_hash = ${hash}`);

/** The first caller decides; returns the id that is valid from now on. */
export async function claimImageStoreId(db: Database, id: string): Promise<string> {
  const rows = await db.query<{ id: string }>(sql`
    update installation set pictures_id = coalesce(pictures_id, ${id}::uuid) returning pictures_id as id
  `);
  return rows[0]?.id ?? id;
}

/**
 * The first caller decides where images are stored, as does one that moves them from there; returns what is
 * valid from now on. A folder that images are moved to is claimed again.
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

export const forgetImageStore = (db: Database) =>
  db.run(sql`update installation set pictures_id = null, pictures_at = null`);
