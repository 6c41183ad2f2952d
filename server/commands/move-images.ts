import { join } from "node:path";
import pino from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import { printLine } from "#server/platform/admin/print.ts";
import { parsePosition } from "#server/commands/check-images.ts";
import type { Options } from "#server/platform/admin/command-line.ts";
import {
  moveImages,
  type Moved,
  type CheckPosition,
} from "#server/features/administration/index.ts";
import type { Installation } from "#server/installation.ts";

/** move-pictures: from IMAGE_STORE_FROM to IMAGE_STORE, while servers use both. */
export function prepareImageMove({ options }: { options: Options }) {
  const after = parsePosition("move-pictures", options["after"]);
  const remove = options["remove"] === true;
  return async ({ db, config }: Installation): Promise<number> => {
    const { dataDir, imageStore, imageStoreFrom } = config;
    if (!imageStoreFrom) {
      printLine("IMAGE_STORE_FROM is empty: set it to the store that pictures are moved from.");
      return 1;
    }
    const log = pino({ level: "silent" });
    const from = openStores(dataDir, imageStoreFrom, log);
    const to = openStores(dataDir, imageStore, log);
    const folder = join(dataDir, "tmp");
    const onProgress = (moved: Moved, { table, key }: CheckPosition) => {
      // On stderr, because a script may read stdout.
      process.stderr.write(`${sentenceOf(moved)}; to go on from here: --after ${table}:${key}\n`);
    };
    const toHost = imageStore.kind === "imgbb";
    const deps = { db, from, to, folder, toDisk: imageStore.kind !== "s3", toHost };
    const moved = await moveImages(deps, { onFault, onProgress }, { after, remove });
    printLine(`${sentenceOf(moved)}.`);
    if (moved.faults > 0) return 1;
    printLine(
      remove
        ? "Everything was compared and removed from IMAGE_STORE_FROM: you can unset it and restart."
        : "Everything is in IMAGE_STORE. With --remove it is compared once more and removed from IMAGE_STORE_FROM.",
    );
    return 0;
  };
}

const onFault = ({ key, why }: { key: string; why: string }) =>
  printLine(`not moved ${key}: ${why}`);

function sentenceOf({ copied, known, faults, bytes }: Moved): string {
  const mega = (bytes / 1_000_000).toFixed(1);
  return `${copied} pictures copied (${mega} MB), ${known} there already, ${faults} not moved`;
}
