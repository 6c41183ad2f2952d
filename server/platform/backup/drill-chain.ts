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
  compareImages,
  inDrillFolder,
  onVolatilePostgres,
  recordDrill,
  setAside,
  volatileSettings,
  type AddFault,
} from "#server/platform/backup/drill-folder.ts";
import { createLengths, join } from "#server/platform/backup/files.ts";
import { pathOfImage } from "#server/platform/backup/images.ts";
import { listedImages, listedSince } from "#server/platform/backup/listed-images.ts";
import type { DrillResult } from "#server/platform/backup/manifest.ts";
import { newImagesName } from "#server/platform/backup/names.ts";
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
export function drillChain(chain: Chain, options: DrillOptions): Promise<DrillResult> {
  const { reading = readAll, productData, signal } = options;
  const { manifest, directory, folder } = chain;
  const bytes = bytesOf(manifest.files);
  const drilled = { folder, what: "replayed", bytes } as const;
  return recordDrill(drilled, options, async (addFault, isWhole) => {
    const trial = { ...options, chain, addFault };
    if (reading.isInParts(bytes)) await reading.read(bytes, (isIn) => readChains(trial, isIn));
    await reading.read(manifest.pictures.bytes, (isIn) => {
      const since = listedSince(folder, productData.imageTables, () =>
        addFault(`${newImagesName} has a line that names no picture`),
      );
      return setAside(faultsOf(directory, since, { isIn, signal }), addFault);
    });
    return isWhole ? replayAndCompare(trial) : { rows: 0, pictures: manifest.pictures.count };
  });
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
    await verifyBase(one, { isIn, signal }).catch((error: Error) => {
      signal?.throwIfAborted();
      add(error.message);
    });
    const { whole, fault } = await verifySegments(one, { isIn, signal });
    const why = whole.length === 0 ? (fault ?? "its log is missing") : fault;
    if (why !== null) add(`The backup ${one.folder} is damaged: ${why}.`);
  }
  return damaged;
}

async function replayAndCompare(trial: Trial): Promise<{ rows: number; pictures: number }> {
  const { chain, productData, dataDir, signal, addFault } = trial;
  const sums = { rows: 0, pictures: 0 };
  const notes: string[] = [];
  const checked = await checkChain(chain, notes, { signal });
  notes.forEach(addFault);
  if (!checked) return sums;
  const { segments } = checked;
  await verifyBase(chain, { signal });
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
        sums.pictures = await compareListed(client, trial);
      });
      await compareCounters(productData, connection, addFault);
    });
  });
  return sums;
}

/** Whether every file that a row names is listed, or listed as missing, and there in full. Counts the rows. */
function compareListed(client: pg.Client, trial: Trial): Promise<number> {
  const { chain, productData, addFault } = trial;
  const lengthOf = createLengths();
  const lists = listedImages(chain.folder, productData.imageTables);
  return compareImages(client, lists, trial, async (image) => {
    for (const [name, bytes] of image.files) {
      const path = join("pictures", pathOfImage(image, name));
      const found = await lengthOf(join(chain.directory, path));
      if (found !== bytes) addFault(`${path} is missing or cut`);
    }
  });
}
