import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { renewSecrets } from "#server/platform/secrets.ts";
import type { Installation } from "../installation.ts";
import { inFull, megabytes, type Figure } from "../table.ts";

const log = pino({ level: "silent" });
/** The image rows have no files. */
const freeBytes = async () => Infinity;

/**
 * How long a backup of the town takes, and its restore into an empty folder. Its images are rows only:
 * copying files depends on the disk.
 */
export async function backup({ connection }: Installation): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-backup-"));
  try {
    const secretsFile = join(folder, "secrets.json");
    const db = createDatabase({ connection, log: { warn: () => {}, error: console.error } });
    await renewSecrets(secretsFile, db);
    await db.close();
    const stores = openStores(join(folder, "pictures"), { kind: "disk" }, log);
    const settings = { publicUrl: "http://localhost:3000", imageStore: "disk" };
    const source = { connection, imageTables, stores, dataDir: folder, secretsFile, settings };
    const taken = await took(() => takeBackup(source, join(folder, "backups"), { freeBytes }));
    const { tables, pictures } = taken.result.manifest;
    const sum = (of: (table: (typeof tables)[number]) => number) =>
      tables.reduce((all, table) => all + of(table), 0);
    const there = join(folder, "restored");
    const restored = await took(() =>
      restoreBackup(
        join(folder, "backups"),
        {
          dataDir: there,
          databaseUrl: null,
          secretsFile: join(there, "secrets.json"),
          imageStore: { kind: "disk" },
        },
        { imageTables, log, deleteAgain: async () => 0 },
      ),
    );
    const rows = inFull(sum(({ rows: count }) => count));
    const size = `${megabytes(sum(({ file }) => file.bytes))} of ${megabytes(sum(({ text }) => text.bytes))} of text`;
    return [
      {
        what: `Backup: ${rows} rows, ${size}, looking for ${inFull(pictures.count)} pictures`,
        value: `${taken.seconds.toFixed(0)} s`,
        goal: "",
        met: null,
      },
      {
        what: "Restore of it into an empty folder, its PostgreSQL and indexes included",
        value: `${restored.seconds.toFixed(0)} s`,
        goal: "",
        met: null,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function took<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
}
