import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { imageTables } from "#server/features/image-tables.ts";
import {
  packedFile,
  packedSegment,
  readSegments,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { unpack } from "#server/platform/backup/chain-files.ts";
import { stillReferenced } from "#server/platform/backup/images.queries.ts";
import { pathOfImage } from "#server/platform/backup/images.ts";
import { listedImages } from "#server/platform/backup/listed-images.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { imageStoreIdOf } from "#server/platform/db/load.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const fail = (error: Error): never => {
  throw error;
};

/**
 * Replays all of a chain into an empty DATA_DIR, as PostgreSQL's manual says (Recovering Using a Continuous
 * Archive Backup), with nothing of the product's own restore.
 */
export async function replayChain(chain: Chain, dataDir: string): Promise<void> {
  const { folder, manifest, directory } = chain;
  const cluster = join(dataDir, "postgres", "data");
  const log = join(dataDir, "postgres", "log");
  for (const path of [log, ...manifest.folders.map((name) => join(cluster, name))]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  for (const file of manifest.files) {
    await unpack(join(folder, packedFile(file.path)), join(cluster, file.path), file);
  }
  for (const segment of await readSegments(chain)) {
    await unpack(join(folder, packedSegment(segment.name)), join(log, segment.name), segment);
  }
  copyFileSync(join(folder, "backup_label"), join(cluster, "backup_label"));
  writeFileSync(join(cluster, "recovery.signal"), "");
  copyFileSync(join(folder, "secrets.json"), join(dataDir, "secrets.json"));
  const overrides = { restore_command: `cp '${log}/%f' %p` };
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost: fail, overrides });
  try {
    await withSession(postgres.connection, async (client) => {
      const isReplaying = async () =>
        (await client.query<{ it: boolean }>("select pg_is_in_recovery() as it")).rows[0]?.it;
      while (await isReplaying()) await sleep(100);
      for await (const image of listedImages(folder, imageTables)) {
        const { table, key, files } = image;
        if (!(await stillReferenced(client, table, [key])).has(key)) continue;
        for (const [name] of files) {
          const path = pathOfImage(image, name);
          mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
          cpSync(join(directory, "pictures", path), join(dataDir, path));
        }
      }
      const id = await imageStoreIdOf(client);
      if (id !== null) writeFileSync(join(dataDir, "pictures.id"), `${id}\n`, { mode: 0o600 });
    });
  } finally {
    await postgres.stop();
    if (existsSync(log)) rmSync(log, { recursive: true });
  }
}
