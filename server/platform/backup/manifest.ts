import { basename, dirname } from "node:path";
import { z } from "zod";
import { orMissing } from "#server/adapters/image-store/durable-files.ts";
import { coverageSchema } from "#server/platform/backup/coverage.ts";
import {
  whyDamaged,
  whyNotPlain,
  type Check,
  type WantedFile,
} from "#server/platform/backup/damaged.ts";
import {
  join,
  lengthOf,
  parsed,
  readBytes,
  readText,
  realPath,
  writeBytes,
} from "#server/platform/backup/files.ts";
import { backupNames, imageListName } from "#server/platform/backup/names.ts";
import { refuseUnknownMigrations } from "#server/platform/db/migrate.ts";
import { hashOfBytes } from "#server/platform/hashing.ts";

/**
 * A folder of backups:
 *
 *     2026-11-23T03-30-00Z/      one backup, named after its time
 *       manifest.json            its contents, the versions, and the hash of every other file
 *       manifest.json.sha256     the hash of that, as sha256sum writes it
 *       database/<table>.copy.gz the rows of a table, as COPY writes them
 *       pictures.jsonl.gz        a line for every image: its files, their lengths and hashes
 *       secrets.json             the keys of the installation
 *       drill.json               the result of its last drill
 *     pictures/                  the files of the images in all backups, under the names that they have in
 *                                DATA_DIR
 *     continuous/                a base and the log of PostgreSQL since then: chain.ts
 *     .draft-…/                  an unfinished backup; in a bucket it is one without manifest.json.sha256
 */
export const hashed = z.object({
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
/** Names become paths and SQL: nothing else may. */
const plainName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const tableName = z.string().regex(/^(pgboss\.)?[a-z_][a-z0-9_]{0,62}$/);

const format = 1;
/** What the manifest of every kind of backup has. */
export const manifestFields = {
  format: z.literal(format),
  product: z.literal("postcard"),
  /** of the product */
  version: z.string().max(50),
  /** which installation it belongs to: a hash of its secrets */
  installation: z.string().nullable(),
  /** the settings that matter when it is restored elsewhere */
  settings: z.object({ publicUrl: z.string().max(500), imageStore: z.string().max(20) }),
  /** version of the database's server */
  postgres: z.string().max(100),
  migrations: z
    .array(z.object({ name: z.string().max(200), sha256: z.string().max(64) }))
    .max(9999),
  pictures: z.object({
    list: hashed,
    count: z.number().int().min(0),
    files: z.number().int().min(0),
    bytes: z.number().int().min(0),
    /** files that a row names and the store lacked */
    missing: z.number().int().min(0),
  }),
  secrets: hashed,
};
const manifestSchema = z.object({
  ...manifestFields,
  /** by the database's clock: everything acknowledged before is in the backup */
  takenAt: z.iso.datetime(),
  tables: z
    .array(
      z.object({
        table: tableName,
        columns: z.array(plainName).max(1600),
        rows: z.number().int().min(0),
        file: hashed,
        text: hashed,
      }),
    )
    .max(9999),
});

export type Manifest = z.output<typeof manifestSchema>;

const drillSchema = z.object({
  at: z.iso.datetime(),
  /** what was wrong; empty if nothing was */
  faults: z.array(z.string()),
  rows: z.number(),
  pictures: z.number(),
  seconds: z.number(),
  /** of a folder that is read in parts */
  coverage: coverageSchema.optional(),
});

/** The result of a drill. */
export type DrillResult = z.output<typeof drillSchema>;

export type Backup = {
  /** the folder of backups, its real path */
  directory: string;
  name: string;
  /** this backup's own folder */
  folder: string;
  manifest: Manifest;
};

/** A backup for those who manage them: with the size of its own files and the result of its drill. */
export type KnownBackup = Backup & { bytes: number; drill: DrillResult | null };

export const fileOfTable = (table: string): string => join("database", `${table}.copy.gz`);

/**
 * The complete backups in a folder, the oldest first; anything else is skipped. `newest`: only that many of
 * the newest ones are read.
 */
export async function listBackups(directory: string, newest = Infinity): Promise<KnownBackup[]> {
  const known: KnownBackup[] = [];
  for (const name of (await backupNames(directory)).slice(-newest)) {
    const folder = join(directory, name);
    const manifest = await readManifest(folder).catch(() => null);
    if (!manifest) continue;
    const bytes = manifest.tables.reduce((sum, { file }) => sum + file.bytes, 0);
    known.push({ directory, name, folder, manifest, bytes, drill: await readDrill(folder) });
  }
  return known;
}

/** The result of the last drill of what is in a folder; null if there was none. */
export async function readDrill(folder: string): Promise<DrillResult | null> {
  return parsed(drillSchema, await readText(join(folder, "drill.json")).catch(() => null));
}

/**
 * A backup, or the newest one in a folder. Throws one sentence if there is none, or it is newer or damaged.
 */
export async function openBackup(given: string): Promise<Backup> {
  const isOne = (await lengthOf(join(given, "manifest.json"))) !== null;
  const newest = isOne ? given : (await backupNames(given)).at(-1);
  if (newest === undefined) throw new Error(`There is no backup in ${given}.`);
  const folder = realPath(isOne ? given : join(given, newest));
  const manifest = await readManifest(folder);
  return { directory: dirname(folder), name: basename(folder), folder, manifest };
}

const readManifest = (folder: string): Promise<Manifest> => readSealed(folder, manifestSchema);

/** The manifest in a folder, of the form given. Throws one sentence if it is newer or damaged. */
export async function readSealed<Form extends z.ZodType>(
  folder: string,
  form: Form,
): Promise<z.output<Form>> {
  const damaged = (cause?: unknown) =>
    new Error(`The backup ${folder} is damaged: its manifest.json is not what was written.`, {
      cause,
    });
  const read = async (name: string) => {
    const why = await whyNotPlain(folder, name);
    const bytes = why === null ? await orMissing(readBytes(join(folder, name))) : null;
    if (bytes) return bytes;
    throw new Error(`${folder} is no whole backup: its manifest is missing.`);
  };
  const text = await read("manifest.json");
  const said = await read("manifest.json.sha256");
  if (said.toString().slice(0, 64) !== hashOfBytes(text).sha256) throw damaged();
  let content: unknown;
  try {
    content = JSON.parse(text.toString());
  } catch (cause) {
    throw damaged(cause);
  }
  const made = z.object({ format: z.number(), product: z.string() }).safeParse(content);
  if (made.data && made.data.format > format) {
    throw new Error(`The backup ${folder} was made by a newer Postcard: restore it with that one.`);
  }
  const parsed = form.safeParse(content);
  if (!parsed.success) throw damaged(parsed.error);
  return parsed.data;
}

/** Writes a manifest, and then its hash, into a folder that has none. */
export async function sealManifest(folder: string, manifest: object): Promise<void> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await writeBytes(join(folder, "manifest.json"), text);
  const seal = Buffer.from(`${hashOfBytes(text).sha256}  manifest.json\n`);
  await writeBytes(join(folder, "manifest.json.sha256"), seal);
}

/** Compares a backup with its manifest, without images; writes nothing. Throws one sentence for the first difference. */
export function verifyBackup({ folder, manifest }: Backup, check: Check): Promise<void> {
  const { secrets, tables, pictures } = manifest;
  const files = [
    { name: "secrets.json", ...secrets },
    ...tables.map(({ table, file }) => ({ name: fileOfTable(table), ...file })),
    { name: imageListName, ...pictures.list },
  ];
  return verifyFiles(folder, manifest, files, check);
}

/** Compares these files of a backup of any kind with their hashes. */
export async function verifyFiles(
  folder: string,
  manifest: Pick<Manifest, "migrations">,
  files: readonly WantedFile[],
  { isIn = () => true, onFile, signal }: Check,
): Promise<void> {
  refuseNewer(manifest, folder);
  for (const file of files) {
    if (!isIn(join(basename(folder), file.name))) continue;
    const why = await whyDamaged(folder, file, signal);
    if (why) throw new Error(`The backup ${folder} is damaged: ${file.name} ${why}.`);
    onFile?.(file.bytes);
  }
}

export function refuseNewer({ migrations }: Pick<Manifest, "migrations">, folder: string): void {
  try {
    refuseUnknownMigrations(migrations);
  } catch (cause) {
    if (!/newer/.test((cause as Error).message)) throw cause;
    throw new Error(
      `The backup ${folder} was made by a newer Postcard: restore it with that one.`,
      { cause },
    );
  }
}
