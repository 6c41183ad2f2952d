import { randomFillSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type pg from "pg";
import { openStores } from "#server/adapters/image-store/open.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import { listChains, type Chain } from "#server/platform/backup/chain.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { pathOfImage } from "#server/platform/backup/images.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { spoolOf, switchOff } from "#server/platform/db/wal-spool.ts";
import { openArchived, silent, type Archived } from "../archived-database.ts";
import { costOf, inWords, type CostOf } from "../cost.ts";
import { watchDatabaseCpu } from "../database-cpu.ts";
import { growGraph } from "../graph.ts";
import { inFull, megabytes, type Figure } from "../table.ts";
import { bytesBelow, finishSegment, logOfWrites } from "./log-of-writes.ts";

/** Accounts whose rows, with their indexes, fill a gigabyte (docs/capacity.md). */
const accountsInGigabyte = 20_000;
/** A larger database has a town of so many gigabytes and copies of its tables, which are faster to make. */
const largestTown = 0.5;
/** Half of a folder are rows, and so many gigabytes at most. */
const mostRows = 2.5;
/** A photo of 3 MB and its copies, half as much again, as in bench/capacity.ts. */
const photo = {
  original: 3_000_000,
  copies: { 320: 60_000, 640: 200_000, 1080: 440_000, 1600: 800_000 },
};
const table = "pictured";
/** What people write between two checkpoints (five minutes), 1,000 and 100,000 of them: capacity.ts. */
const written = [43, 4300] as const;

/**
 * What the continuous backup of a DATA_DIR of so many gigabytes of rows and photos costs: its base, pieces of the
 * log, a restore of everything, and a drill of the database; and a daily backup of the same rows.
 */
export async function continuous(
  gigabytes: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-continuous-"));
  chmodSync(folder, 0o711);
  const here = await openArchived(join(folder, "data"), true);
  const cost = costOf(await watchDatabaseCpu(here.connection));
  const figures: Figure[] = [];
  const add = (what: string, value: string) => {
    say(`  ${what}: ${value}`);
    figures.push({ what: `${gigabytes} GB: ${what}`, value, goal: "", met: null });
  };
  try {
    const rows = Math.min(gigabytes / 2, mostRows);
    await grow(here, rows);
    const chain = await takeBase(here, cost, add);
    for (const count of written) {
      const { bytes, kept, segments, shipped } = await logOfWrites(here, chain, count, cost);
      add(
        `the log of ${inFull(count)} likes, comments and posts after a checkpoint`,
        `${inMegabytes(bytes)}, ${inMegabytes(kept)} compressed; ${inWords(shipped)} to ship its ${segments} segments`,
      );
    }
    await copyPhotos(here, Math.round(((gigabytes - rows) * 1e9) / 4.5e6), cost, add);
    await restoreAll(here, join(folder, "restored"), cost, add);
    await drillDatabase(chain, join(folder, "drill"), cost, add);
    await dump(here, cost, add);
    return figures;
  } finally {
    await here.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Add = (what: string, value: string) => void;

/** Rows without a continuous backup: their log is not wanted. */
async function grow({ config, connection }: Archived, gigabytes: number): Promise<void> {
  await switchOff(spoolOf(config.dataDir), { at: new Date().toISOString(), why: "" });
  const accounts = Math.min(gigabytes, largestTown) * accountsInGigabyte;
  await growGraph(connection, { accounts, postsPerAccount: 8 });
  await withSession(connection, async (client) => {
    await client.query(`create table ${table} (key text unique, bytes integer, widths integer[])`);
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_table_size(oid) > 1e6`,
    );
    for (let copy = 1; (await databaseBytes(client)) < gigabytes * 1e9 * 0.95; copy += 1) {
      for (const { name } of tables)
        await client.query(`create table ${name}_${copy} as table ${name}`);
    }
  });
}

async function databaseBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_database_size(current_database())::text as bytes",
  );
  return Number(rows[0]?.bytes);
}

const ship = ({ config }: Archived, imageTables: Record<string, "public">) =>
  shipOnce({ config, imageTables, log: silent, signal: new AbortController().signal });

async function takeBase(here: Archived, cost: CostOf, add: Add): Promise<Chain> {
  const base = await cost(() => ship(here, {}));
  const [chain] = await listChains(here.config.backupDir ?? "");
  if (!chain) throw new Error("No chain was begun.");
  const unpacked = chain.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const packed = bytesBelow(join(chain.folder, "files"));
  add(
    `base of ${megabytes(unpacked)} of database`,
    `${megabytes(packed)} compressed, ${inWords(base)}`,
  );
  return chain;
}

async function copyPhotos(here: Archived, count: number, cost: CostOf, add: Add): Promise<void> {
  await addPhotos(here, count);
  await finishSegment(here.connection, spoolOf(here.config.dataDir));
  const images = await cost(() => ship(here, { [table]: "public" }));
  const size = megabytes(count * 4.5e6);
  add(`${inFull(count)} photos (${size}) copied and hashed`, inWords(images));
}

async function drillDatabase(chain: Chain, dataDir: string, cost: CostOf, add: Add): Promise<void> {
  mkdirSync(dataDir, { mode: 0o711 });
  const productData = { imageTables: {}, reconcile: reconcileCounters };
  const drilled = await cost(async () => {
    const { faults } = await drillChain(chain, { productData, dataDir, log: silent });
    if (faults.length > 0) throw new Error(faults.join(" "));
  });
  add("drill of the database", inWords(drilled));
}

async function dump({ config, connection }: Archived, cost: CostOf, add: Add): Promise<void> {
  const { dataDir, secretsFile, publicUrl, imageStore } = config;
  const stores = openStores(dataDir, imageStore, silent);
  const settings = { publicUrl, imageStore: imageStore.kind };
  // A table without rows: the images of all others were measured before.
  const imageTables = { visitor_images: "public" } as const;
  const source = { connection, imageTables, stores, dataDir, secretsFile, settings };
  let packed = 0;
  const taken = await cost(async () => {
    const { manifest } = await takeBackup(source, config.backupDir ?? "");
    packed = manifest.tables.reduce((sum, { file }) => sum + file.bytes, 0);
  });
  add("a daily backup of the same database", `${megabytes(packed)}, ${inWords(taken)}`);
}

/** Rows that name photos, and their files; bytes that nothing can compress. */
async function addPhotos({ connection, config }: Archived, count: number): Promise<void> {
  const bytes = Buffer.alloc(photo.original);
  await withSession(connection, async (client) => {
    await client.query(
      `insert into ${table} select md5(n::text), $2, $3 from generate_series(1, $1::integer) n`,
      [count, photo.original, Object.keys(photo.copies).map(Number)],
    );
    const { rows } = await client.query<{ key: string }>(`select key from ${table}`);
    for (const { key } of rows) {
      randomFillSync(bytes);
      const put = (name: string, size: number) => {
        const path = join(config.dataDir, pathOfImage({ area: "public", key }, name));
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, bytes.subarray(0, size));
      };
      put("original", photo.original);
      for (const [width, size] of Object.entries(photo.copies)) put(`${width}.webp`, size);
    }
  });
}

/** Restores everything into an empty folder, and says how long each of its steps took. */
async function restoreAll(
  { config }: Archived,
  dataDir: string,
  cost: CostOf,
  add: Add,
): Promise<void> {
  const secretsFile = join(dataDir, "secrets.json");
  const target = { dataDir, databaseUrl: null, secretsFile, imageStore: config.imageStore };
  const began = new Map<string, number>();
  const whole = await cost(() =>
    restoreBackup(config.backupDir ?? "", target, {
      imageTables: { [table]: "public" },
      log: silent,
      deleteAgain: async () => 0,
      onProgress: ({ step }) => void (began.has(step) || began.set(step, performance.now())),
    }),
  );
  const ended = performance.now();
  const steps = [...began].map(([step, from], index, all) => {
    const until = all[index + 1]?.[1] ?? ended;
    return `${step} ${((until - from) / 1000).toFixed(0)} s`;
  });
  add("restore of everything", `${inWords(whole)} (${steps.join(", ")})`);
}

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
