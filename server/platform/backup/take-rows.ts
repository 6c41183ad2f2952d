import { readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import type pg from "pg";
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
import { draftNames } from "#server/platform/backup/names.ts";
import {
  packList,
  type copyImagesAndSnapshot,
  type Progress,
} from "#server/platform/backup/take-images.ts";
import { dumpTable, endSnapshot } from "#server/platform/db/dump.ts";
import { hashOfBytes } from "#server/platform/hashing.ts";

/** The version of the product. */
export const { version } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };

export type Rest = {
  client: pg.Client;
  settings: Manifest["settings"];
  folder: string;
  room: () => Promise<void>;
  onProgress: ((progress: Progress) => void) | undefined;
  signal: AbortSignal | undefined;
  found: Awaited<ReturnType<typeof copyImagesAndSnapshot>>;
  secrets: Buffer;
};

/**
 * Writes the list of images, the rows of every table and the secrets into a folder, and then the manifest.
 */
async function writeRest(rest: Rest): Promise<void> {
  const { client, settings, folder, room, onProgress, signal, found, secrets } = rest;
  const { snapshot, images, faulty, list } = found;
  const pictures = await packList(list, join(folder, "pictures.jsonl.gz"), { ...images, faulty });
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
    settings,
    postgres: snapshot.postgres,
    migrations: snapshot.migrations,
    tables,
    pictures,
    secrets: hashOfBytes(secrets),
  };
  await sealManifest(folder, manifest);
}

/** Completes a draft, and gives it its final name. */
export async function putInPlace(rest: Rest, directory: string, name: string): Promise<void> {
  const draft = rest.folder;
  await writeRest(rest);
  for (const seen of await readdir(draft)) {
    if (seen.startsWith("seen-")) await rm(join(draft, seen));
  }
  for (const folder of [join(draft, "database"), draft]) await sync(folder);
  await move(draft, join(directory, name));
  await sync(directory);
}

/** Writes into a bucket under the final name: without its manifest, which comes last, it is no backup. */
export async function putAll(
  rest: Omit<Rest, "folder">,
  directory: string,
  name: string,
): Promise<void> {
  const folder = join(directory, name);
  for (const draft of await draftNames(directory)) await removeAll(join(directory, draft));
  try {
    await writeRest({ ...rest, folder });
  } catch (error) {
    await removeAll(folder).catch(() => undefined);
    throw error;
  }
}
