import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import type { Manifest } from "#server/platform/backup/manifest.ts";
import { nameOf } from "#server/platform/backup/names.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import type { Source } from "#server/platform/backup/take-images.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { hasAccounts } from "#server/features/people/index.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { openSecrets } from "#server/platform/secrets.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { afterFile } from "#server/test/after-file.ts";
import { emptyDatabase, freshDatabase, urlOf } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";

export const silent = pino({ level: "silent" });

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-backup-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * An installation with people, and all that a backup of it needs; its images are in this run's store, or in
 * `imageStore`.
 */
export async function sourceInstallation(imageStore?: ImageStoreSettings) {
  const { db, connection } = await freshDatabase();
  const folder = newFolder();
  const secretsFile = join(folder, "secrets.json");
  const secrets = await openSecrets(secretsFile, db, hasAccounts);
  const stores = imageStore && { stores: openStores(folder, imageStore, silent) };
  const features = testFeatures(db, { folder, secrets, ...stores });
  const source: Source = {
    connection,
    imageTables,
    stores: features,
    dataDir: folder,
    secretsFile,
    settings: { publicUrl: "http://localhost:3000", imageStore: "disk" },
  };
  const back = (into: string, options?: Parameters<typeof takeBackup>[2]) =>
    takeBackup(source, into, options);
  return { ...features, connection, source, back };
}

/** An empty database of an ordinary role, as an operator makes one, and a folder that does not exist yet. */
export async function restoreTarget() {
  const role = `ordinary_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(6).toString("hex");
  const postgres = inject("postgres");
  await runAdminStatement(postgres, `create role ${role} login password '${password}'`);
  // after its database is dropped
  afterFile(() => runAdminStatement(postgres, `drop role if exists ${role}`));
  const connection = await emptyDatabase();
  await runAdminStatement(connection, `alter database ${connection.database} owner to ${role}`);
  const owned = { ...connection, user: role, password };
  const dataDir = join(newFolder(), "data");
  const config = {
    dataDir,
    databaseUrl: urlOf(owned),
    secretsFile: join(dataDir, "secrets.json"),
    imageStore: { kind: "disk" as const },
  };
  const options = { imageTables, log: silent, deleteAgain: deleteAgainIn(owned, dataDir) };
  const restore = (from: string, signal?: AbortSignal) =>
    restoreBackup(from, config, { ...options, signal });
  return { connection: owned, dataDir, config, options, restore };
}

/** As commands have it: with the features of the product, on a database that is brought up to date first. */
function deleteAgainIn(connection: pg.PoolConfig, folder: string) {
  return async (accounts: ReadonlySet<string>): Promise<number> => {
    await migrate({ connection });
    const db = createDatabase({ connection, log: silent });
    try {
      return await testFeatures(db, { folder }).deletion.deleteAgain(accounts);
    } finally {
      await db.close();
    }
  };
}

/** A backup without contents, as far as its manifest says. */
export function emptyBackup(
  into: string,
  takenAt: Date,
  installation: string | null = null,
): string {
  const none = { bytes: 0, sha256: sha256(Buffer.alloc(0)) };
  const manifest: Manifest = {
    format: 1,
    product: "postcard",
    version: "0",
    takenAt: takenAt.toISOString(),
    installation,
    settings: { publicUrl: "http://localhost:3000", imageStore: "disk" },
    postgres: "",
    migrations: [],
    tables: [],
    pictures: { list: none, count: 0, files: 0, bytes: 0, missing: 0 },
    secrets: none,
  };
  const folder = join(into, nameOf(takenAt));
  mkdirSync(folder);
  const text = Buffer.from(JSON.stringify(manifest));
  writeFileSync(join(folder, "manifest.json"), text);
  writeFileSync(join(folder, "manifest.json.sha256"), `${sha256(text)}  manifest.json\n`);
  return folder;
}

/** Changes a backup's manifest as somebody would who knows the format. */
export function rewriteManifest(folder: string, change: (manifest: Manifest) => unknown): void {
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const changed = change(manifest) ?? manifest;
  writeFileSync(path, JSON.stringify(changed));
  writeFileSync(`${path}.sha256`, `${sha256(readFileSync(path))}  manifest.json\n`);
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Flips one bit in the middle of a file. */
export function flipBit(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
