import { mkdir, rm, writeFile } from "node:fs/promises";
import pLimit from "p-limit";
import {
  packedFile,
  packedSegment,
  isHistory,
  readSegments,
  type Chain,
  type Segment,
} from "#server/platform/backup/chain.ts";
import { unpack } from "#server/platform/backup/chain-files.ts";
import { join, lengthOf, readBytes } from "#server/platform/backup/files.ts";
import { allOrNothing } from "#server/platform/backup/images.ts";
import { killIn } from "#server/platform/db/postgres-cluster.ts";
import { replayLog } from "#server/platform/db/replay.ts";
import { startOfSegment } from "#server/platform/db/wal-segments.ts";

/** Segments of the log, until they are replayed, beside the data directory. */
const segmentsFolder = "replay";
const unpackedAtOnce = 2;

type ChainReplay = {
  chain: Chain;
  /** those that can be replayed, in their order */
  segments: readonly Segment[];
  dataDir: string;
  /** the moment to stop at; null: the last one there is */
  to: Date | null;
  overrides?: Record<string, string> | undefined;
  onFile?: (bytes: number) => void;
  onReplay?: () => void;
  signal?: AbortSignal | undefined;
};

/**
 * Makes the embedded PostgreSQL's data directory from a chain, whose files were compared with their hashes
 * before, in place of one that an interrupted try left. Returns whether it replayed to the end of the last
 * segment, which it need not reach where it stops at a moment.
 */
export async function replayChain(given: ChainReplay): Promise<{ toTheEnd: boolean }> {
  const { chain, segments, dataDir, to, overrides, onReplay, signal } = given;
  const home = join(dataDir, "postgres");
  await killIn(join(home, "data"));
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(home, { recursive: true, mode: 0o700 });
  await unpackBase(given, join(home, "data"));
  await unpackSegments(given, join(home, segmentsFolder));
  onReplay?.();
  const ended = await replayLog({ dataDir, segments: segmentsFolder, to, overrides, signal });
  await rm(join(home, segmentsFolder), { recursive: true, force: true });
  await rm(join(home, "data", "backup_label.old"), { force: true });
  const last = segments.at(-1);
  return {
    toTheEnd: last !== undefined && ended > startOfSegment(last.name, chain.manifest.segmentBytes),
  };
}

async function unpackBase({ chain, onFile, signal }: ChainReplay, cluster: string): Promise<void> {
  const { folder, manifest } = chain;
  if (manifest.tablespaceMap.bytes > 0) {
    throw new Error(`The backup ${folder} has tablespaces, which Postcard does not restore.`);
  }
  const folders = ["", ...manifest.folders].map((path) => join(cluster, path));
  for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 });
  const limit = pLimit(unpackedAtOnce);
  const unpackOne = async ({ path, ...wanted }: (typeof manifest.files)[number]) => {
    signal?.throwIfAborted();
    await unpack(join(folder, packedFile(path)), join(cluster, path), wanted);
    onFile?.(wanted.bytes);
  };
  await allOrNothing(manifest.files.map((file) => limit(unpackOne, file)));
  const label = await readBytes(join(folder, "backup_label"));
  await writeFile(join(cluster, "backup_label"), label, { mode: 0o600 });
  await writeFile(join(cluster, "recovery.signal"), "", { mode: 0o600 });
}

async function unpackSegments({ chain, segments, onFile, signal }: ChainReplay, to: string) {
  await mkdir(to, { mode: 0o700 });
  // One that is missing or damaged is none: PostgreSQL then knows its timeline by the segments.
  const histories = (await readSegments(chain)).filter(isHistory);
  for (const one of [...histories, ...segments]) {
    signal?.throwIfAborted();
    const from = join(chain.folder, packedSegment(one.name));
    if (isHistory(one) && (await lengthOf(from)) === null) continue;
    await unpack(from, join(to, one.name), one);
    onFile?.(one.bytes);
  }
}
