import { readdir, rm } from "node:fs/promises";
import {
  join,
  makeFolder,
  move,
  removeAll,
  sync,
  writeBytes,
  writeTo,
} from "#server/platform/backup/files.ts";
import { fileOfTable, sealManifest, type Manifest } from "#server/platform/backup/manifest.ts";
import { draftNames, imageListName } from "#server/platform/backup/names.ts";
import {
  packList,
  type copyImagesAndSnapshot,
  type Taking,
} from "#server/platform/backup/take-images.ts";
import { dumpTable, endSnapshot } from "#server/platform/db/dump.ts";
import { hashOfBytes } from "#server/platform/hashing.ts";
import { version } from "#server/platform/version.ts";

/** The images of a backup, the snapshot that names them, and the secrets. */
type Rest = { found: Awaited<ReturnType<typeof copyImagesAndSnapshot>>; secrets: Buffer };

/**
 * Writes the list of images, the rows of every table and the secrets into a folder, and then the manifest.
 */
async function writeRest(taking: Taking, folder: string, { found, secrets }: Rest): Promise<void> {
  const { client, source, room, onProgress, signal } = taking;
  const { snapshot, images, faulty, list } = found;
  const pictures = await packList(list, join(folder, imageListName), { ...images, faulty });
  await makeFolder(join(folder, "database"));
  const tables: Manifest["tables"] = [];
  for (const shape of snapshot.tables) {
    onProgress?.({ table: shape.table });
    await room();
    const write = writeTo(join(folder, fileOfTable(shape.table)));
    tables.push({ ...shape, ...(await dumpTable(client, shape, write, signal)) });
  }
  await endSnapshot(client);
  await writeBytes(join(folder, "secrets.json"), secrets);
  const manifest: Manifest = {
    format: 1,
    product: "postcard",
    version,
    takenAt: snapshot.takenAt.toISOString(),
    installation: snapshot.secretsHash,
    settings: source.settings,
    postgres: snapshot.postgres,
    migrations: snapshot.migrations,
    tables,
    pictures,
    secrets: hashOfBytes(secrets),
  };
  await sealManifest(folder, manifest);
}

/** Completes a draft, and gives it its final name. */
export async function putInPlace(taking: Taking, name: string, rest: Rest): Promise<void> {
  const { directory, draft } = taking;
  await writeRest(taking, draft, rest);
  for (const seen of await readdir(draft)) {
    if (seen.startsWith("seen-")) await rm(join(draft, seen));
  }
  for (const folder of [join(draft, "database"), draft]) await sync(folder);
  await move(draft, join(directory, name));
  await sync(directory);
}

/** Writes into a bucket under the final name: without its manifest, which comes last, it is no backup. */
export async function putAll(taking: Taking, name: string, rest: Rest): Promise<void> {
  const { directory, draft } = taking;
  const folder = join(directory, name);
  for (const old of await draftNames(directory)) await removeAll(join(directory, old));
  try {
    await writeRest(taking, folder, rest);
  } catch (error) {
    await removeAll(folder).catch(() => undefined);
    throw error;
  }
  await rm(draft, { recursive: true, force: true });
}
