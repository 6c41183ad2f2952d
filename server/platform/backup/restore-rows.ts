import type pg from "pg";
import { join, readFrom } from "#server/platform/backup/files.ts";
import { fileOfTable, verifyBackup, type Backup } from "#server/platform/backup/manifest.ts";
import { databaseBytes } from "#server/platform/backup/required-space.ts";
import { imagesListedIn } from "#server/platform/backup/images.ts";
import { imageFaults, putImages, refuseFaults } from "#server/platform/backup/restore-images.ts";
import type {
  Connection,
  RestoreOptions,
  RestoreSource,
} from "#server/platform/backup/restore-target.ts";
import { identityOf, withSession } from "#server/platform/db/dump.ts";
import { imageStoreIdOf, isEmpty, loadDatabase } from "#server/platform/db/load.ts";

/** A backup of rows: any PostgreSQL takes them. */
export function rowsSource(
  backup: Backup,
  notes: string[],
  options: RestoreOptions,
): RestoreSource {
  const { folder, directory, manifest } = backup;
  const { takenAt, settings, pictures } = manifest;
  const isFilled = (connection: Connection, goesOn: boolean) =>
    withSession(connection, (client) => refuseFilled(client, backup, goesOn));
  return {
    folder,
    directory,
    until: takenAt,
    publicUrl: settings.publicUrl,
    notes,
    mark: `${folder} ${takenAt}\n`,
    needed: { database: databaseBytes(manifest), images: pictures.bytes },
    verify: () => verifyAll(backup, options),
    refuseFilled: async (connection, goesOn) => void (await isFilled(connection, goesOn)),
    prepare: async () => undefined,
    fill: async (connection, stores, goesOn) => {
      // The rows went in after all images, and what is deleted again since then does not come back.
      const filled = await isFilled(connection, goesOn);
      const { imageTables, onProgress, signal } = options;
      const onImage = (done: number) => onProgress?.({ step: "images", done, of: pictures.count });
      const listed = imagesListedIn(folder, imageTables);
      const skipped = filled ? [] : await putImages(directory, listed, stores, { onImage, signal });
      const loaded = await withSession(connection, async (client) => ({
        ...(filled ? { unknown: [] } : await load(client, backup, options)),
        imageStoreId: await imageStoreIdOf(client),
      }));
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      return { rows, pictures: pictures.count, skipped, ...loaded };
    },
  };
}

function load(client: pg.Client, backup: Backup, { onProgress, signal }: RestoreOptions) {
  const onTable = (table: string) => onProgress?.({ step: "rows", table });
  return loadDatabase(client, rowsOf(backup), { onTable, signal });
}

/** The tables of a backup with their files, for loadDatabase. */
export function rowsOf({ folder, manifest }: Backup) {
  const tables = manifest.tables.map((table) => ({
    ...table,
    read: () => readFrom(join(folder, fileOfTable(table.table))),
  }));
  return { migrations: manifest.migrations, tables };
}

async function verifyAll(backup: Backup, { imageTables, onProgress, signal }: RestoreOptions) {
  const { tables, pictures } = backup.manifest;
  const of = tables.reduce((sum, { file }) => sum + file.bytes, pictures.bytes);
  let read = 0;
  const onFile = (bytes: number) => onProgress?.({ step: "verify", bytes: (read += bytes), of });
  const check = { onFile, signal };
  await verifyBackup(backup, check);
  await refuseFaults(backup.folder, imageFaults(backup, imageTables, check));
}

/** Whether an interrupted restore had already filled the database: it loads all of it or nothing. */
async function refuseFilled(client: pg.Client, { manifest }: Backup, goesOn: boolean) {
  if (await isEmpty(client)) return false;
  const { secretsHash, migrations } = goesOn
    ? await identityOf(client)
    : { secretsHash: null, migrations: [] };
  // Those that came later were applied before accounts were deleted again.
  const first = migrations.slice(0, manifest.migrations.length);
  const same = JSON.stringify(first) === JSON.stringify(manifest.migrations);
  if (goesOn && same && secretsHash === manifest.installation) return true;
  throw new Error("The database is not empty: restore into one without any tables.");
}
