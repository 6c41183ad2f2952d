import type pg from "pg";
import {
  bytesOf,
  listChains,
  verifyBase,
  verifySegments,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { checkChain } from "#server/platform/backup/check-chain.ts";
import { readAll } from "#server/platform/backup/coverage.ts";
import type { DrillOptions } from "#server/platform/backup/drill.ts";
import {
  compareCounters,
  coverageNow,
  inDrillFolder,
  onVolatilePostgres,
  recordDrill,
  setAside,
  volatileSettings,
  type AddFault,
} from "#server/platform/backup/drill-folder.ts";
import { createLengths, join } from "#server/platform/backup/files.ts";
import { fileNamesOf, pathOfImage, type ImageTables } from "#server/platform/backup/images.ts";
import { imagesOfRows, listedSince } from "#server/platform/backup/listed-images.ts";
import type { DrillResult } from "#server/platform/backup/manifest.ts";
import { replayChain } from "#server/platform/backup/replay-chain.ts";
import { faultsOf } from "#server/platform/backup/restore-images.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { countRows } from "#server/platform/db/load.ts";

/**
 * Replays a continuous backup to its last moment in a temporary folder of DATA_DIR, and stores the result of the
 * drill in its folder. It compares every file of the base and every segment with its hash, counters with the
 * rows they count, every image that a row names with the lists and its length, and images that came since the
 * base with their hashes; drills of daily backups read all others. What is too large for that is read in parts
 * (coverage.ts), then of all chains in the folder. Throws only if it was stopped.
 */
export async function drillChain(chain: Chain, options: DrillOptions): Promise<DrillResult> {
  const { reading = readAll, productData, signal } = options;
  const { manifest, directory, folder } = chain;
  const bytes = bytesOf(manifest.files);
  const replays = reading.isRestoreDue("replayed", bytes);
  const result = await recordDrill(folder, signal, async (addFault) => {
    const trial = { ...options, chain, addFault };
    if (reading.isInParts(bytes)) await reading.read(bytes, (isIn) => readChains(trial, isIn));
    let isFirst = true;
    const damagedLine = () =>
      isFirst && addFault("pictures-since.jsonl has a line that names no picture");
    await reading.read(manifest.pictures.bytes, (isIn) => {
      const since = listedSince(folder, productData.imageTables, damagedLine);
      isFirst = false;
      return setAside(faultsOf(directory, since, { onFile: () => {}, signal, isIn }), addFault);
    });
    const sums = replays
      ? await replayAndCompare(trial)
      : { rows: 0, pictures: manifest.pictures.count };
    return { ...sums, ...coverageNow(reading, "replayed", replays) };
  });
  if (replays && result.faults.length === 0) reading.noteRestored("replayed");
  return result;
}

type Trial = DrillOptions & { chain: Chain; addFault: AddFault };

/** Compares files and segments of all chains in the folder with their hashes. Returns how many are damaged. */
async function readChains(
  { chain: { directory }, signal, addFault }: Trial,
  isIn: (path: string) => boolean,
): Promise<number> {
  let damaged = 0;
  const add = (fault: string) => {
    damaged += 1;
    addFault(fault);
  };
  for (const one of await listChains(directory)) {
    await verifyBase(one, () => {}, signal, isIn).catch((error: Error) => {
      signal?.throwIfAborted();
      add(error.message);
    });
    const { whole, fault } = await verifySegments(one, () => {}, signal, isIn);
    const why = whole.length === 0 ? (fault ?? "its log is missing") : fault;
    if (why !== null) add(`The backup ${one.folder} is damaged: ${why}.`);
  }
  return damaged;
}

async function replayAndCompare(trial: Trial): Promise<{ rows: number; pictures: number }> {
  const { chain, productData, dataDir, signal, addFault } = trial;
  const { imageTables } = productData;
  const sums = { rows: 0, pictures: 0 };
  const notes: string[] = [];
  const checked = await checkChain(chain, notes, { signal });
  notes.forEach(addFault);
  if (!checked) return sums;
  const { segments } = checked;
  await verifyBase(chain, () => {}, signal);
  await inDrillFolder(dataDir, bytesOf([...chain.manifest.files, ...segments]), async (folder) => {
    const { toTheEnd } = await replayChain({
      chain,
      segments,
      dataDir: folder,
      to: null,
      signal,
      overrides: volatileSettings,
    });
    if (!toTheEnd) addFault("PostgreSQL replayed its log not to the end");
    await onVolatilePostgres(folder, addFault, async (connection) => {
      await withSession(connection, async (client) => {
        sums.rows = await countRows(client);
        sums.pictures = await compareImages(client, chain, imageTables, addFault);
      });
      await compareCounters(productData, connection, addFault);
    });
  });
  return sums;
}

/** Whether every file that a row names is listed, or listed as missing, and there in full. Counts the rows. */
async function compareImages(
  client: pg.Client,
  chain: Chain,
  imageTables: ImageTables,
  addFault: AddFault,
): Promise<number> {
  const lengthOf = createLengths();
  let count = 0;
  for await (const { row, listed } of imagesOfRows(client, chain, imageTables)) {
    count += 1;
    const names = new Set([...listed.files.map(([name]) => name), ...listed.missing]);
    const lacking = fileNamesOf(row).find((name) => !names.has(name));
    if (lacking) addFault(`${pathOfImage(listed, lacking)} is not in the backup`);
    for (const [name, bytes] of listed.files) {
      const path = join("pictures", pathOfImage(listed, name));
      const found = await lengthOf(join(chain.directory, path));
      if (found !== bytes) addFault(`${path} is missing or cut`);
    }
  }
  return count;
}
