import type pg from "pg";
import { bytesOf, verifyBase } from "#server/platform/backup/chain.ts";
import { join } from "#server/platform/backup/files.ts";
import { imagesOfRows, listedImages, listedSince } from "#server/platform/backup/listed-images.ts";
import type { CheckedChain } from "#server/platform/backup/check-chain.ts";
import { bytesOfImage, type ListedImage, type Stores } from "#server/platform/backup/images.ts";
import { sumOfImages } from "#server/platform/backup/images.queries.ts";
import { refuseNewer } from "#server/platform/backup/manifest.ts";
import { newImagesName } from "#server/platform/backup/names.ts";
import { replayChain } from "#server/platform/backup/replay-chain.ts";
import {
  faultsOf,
  imageFaults,
  putImages,
  refuseFaults,
} from "#server/platform/backup/restore-images.ts";
import type { RestoreOptions, RestoreSource } from "#server/platform/backup/restore-target.ts";
import { identityOf, withSession } from "#server/platform/db/dump.ts";
import { imageStoreIdOf } from "#server/platform/db/load.ts";

/** A continuous backup, until a moment or to its end: the embedded PostgreSQL takes its files. */
export function chainSource(
  checked: CheckedChain,
  to: Date | null,
  notes: string[],
  options: RestoreOptions,
): RestoreSource {
  const { chain, segments, reach } = checked;
  const { folder, directory, manifest } = chain;
  const { imageTables, onProgress, signal } = options;
  const until = (to ?? reach).toISOString();
  const database = bytesOf(manifest.files) + bytesOf(segments);
  const needed = { database, images: manifest.pictures.bytes };
  return {
    folder,
    directory,
    until,
    publicUrl: manifest.settings.publicUrl,
    notes,
    mark: `${folder} ${to?.toISOString() ?? "newest"}\n`,
    needed,
    verify: async () => {
      const { damaged, bytes } = await verifyFiles(checked, options);
      needed.images += bytes;
      if (damaged === 0) return;
      const list = join(folder, newImagesName);
      notes.push(`${damaged} lines of ${list} are damaged: photos they name may be missing.`);
    },
    // There is none yet.
    refuseFilled: async () => undefined,
    prepare: async (dataDir) => {
      let read = 0;
      const { toTheEnd } = await replayChain({
        chain,
        segments,
        dataDir,
        to,
        signal,
        onFile: (bytes) => onProgress?.({ step: "unpack", bytes: (read += bytes), of: database }),
        onReplay: () => onProgress?.({ step: "replay" }),
      });
      if (to === null && !toTheEnd) {
        notes.push(
          `PostgreSQL replayed its log not to the end: what was written shortly before ${until} is missing.`,
        );
      }
    },
    fill: (connection, stores) =>
      withSession(connection, async (client) => {
        const { secretsHash, migrations } = await identityOf(client);
        refuseNewer({ migrations }, folder);
        if (secretsHash !== manifest.installation) {
          throw new Error(`The backup ${folder} holds the database of another installation.`);
        }
        const { count } = await sumOfImages(client, Object.keys(imageTables));
        const skipped = await restoreListed(client, checked, stores, { count, ...options });
        const imageStoreId = await imageStoreIdOf(client);
        return { rows: null, pictures: count, skipped, unknown: [], imageStoreId };
      }),
  };
}

async function restoreListed(
  client: pg.Client,
  { chain }: CheckedChain,
  stores: Stores,
  { imageTables, onProgress, signal, count }: RestoreOptions & { count: number },
): Promise<string[]> {
  const lists = listedImages(chain.folder, imageTables);
  const listed = async function* () {
    for await (const image of imagesOfRows(client, lists, imageTables)) yield image.listed;
  };
  return putImages(chain.directory, listed(), stores, {
    onImage: (done) => onProgress?.({ step: "images", done, of: count }),
    signal,
  });
}

/**
 * Compares the files of the base, and all images that the lists of the chain name. Returns how many lines of the
 * list since the base are damaged, and the bytes of the images in it.
 */
async function verifyFiles(
  { chain }: CheckedChain,
  { imageTables, onProgress, signal }: RestoreOptions,
): Promise<{ damaged: number; bytes: number }> {
  const { folder, directory, manifest } = chain;
  const of = bytesOf(manifest.files) + manifest.pictures.bytes;
  const found = { damaged: 0, bytes: 0 };
  let read = 0;
  const onFile = (bytes: number) => onProgress?.({ step: "verify", bytes: (read += bytes), of });
  const check = { onFile, signal };
  await verifyBase(chain, check);
  const since = listedSince(chain.folder, imageTables, () => (found.damaged += 1));
  const onImage = (image: ListedImage) => void (found.bytes += bytesOfImage(image));
  await refuseFaults(folder, imageFaults(chain, imageTables, check));
  await refuseFaults(folder, faultsOf(directory, since, { ...check, onImage }));
  return found;
}
