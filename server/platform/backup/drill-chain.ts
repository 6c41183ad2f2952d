import type pg from "pg";
import { verifyBase, type Chain } from "#server/platform/backup/chain.ts";
import { checkChain } from "#server/platform/backup/check-chain.ts";
import type { DrillOptions } from "#server/platform/backup/drill.ts";
import {
  compareCounters,
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
 * base with their hashes; drills of daily backups read all others. Throws only if it was stopped.
 */
export async function drillChain(chain: Chain, options: DrillOptions): Promise<DrillResult> {
  const { productData, dataDir, signal } = options;
  const { imageTables } = productData;
  return recordDrill(chain.folder, signal, async (addFault) => {
    const sums = { rows: 0, pictures: 0 };
    const notes: string[] = [];
    const checked = await checkChain(chain, notes, { signal });
    notes.forEach(addFault);
    if (!checked) return sums;
    const { segments } = checked;
    await verifyBase(chain, () => {}, signal);
    const damagedLine = () => addFault("pictures-since.jsonl has a line that names no picture");
    const since = listedSince(chain.folder, imageTables, damagedLine);
    await setAside(faultsOf(chain.directory, since, { onFile: () => {}, signal }), addFault);
    const files = [...chain.manifest.files, ...segments];
    const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
    await inDrillFolder(dataDir, needed, async (folder) => {
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
  });
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
