import { open, rm, stat } from "node:fs/promises";
import {
  isHistory,
  packedSegment,
  readSegments,
  segmentList,
  type ChainManifest,
  type Segment,
} from "#server/platform/backup/chain.ts";
import { appendLines, pack, packing } from "#server/platform/backup/chain-files.ts";
import { join, sync, writeWhole } from "#server/platform/backup/files.ts";
import { segmentAfter, startOfSegment } from "#server/platform/db/wal-segments.ts";
import { removeNotes, segmentsIn } from "#server/platform/db/wal-spool.ts";

/** A chain that segments are shipped to, or the draft of one. */
export type Target = {
  folder: string;
  systemIdentifier: string;
  segmentBytes: number;
  /** the segment that comes next; those before it are there */
  next: string;
  /** everything acknowledged before is there; null if no segment is */
  reachesUntil: string | null;
  /** why nothing can follow any more; empty as long as something can */
  end: string;
};

type Begin = Pick<ChainManifest, "systemIdentifier" | "segmentBytes" | "startSegment">;

export async function openTarget(folder: string, begin: Begin): Promise<Target> {
  const { systemIdentifier, segmentBytes, startSegment } = begin;
  const last = (await readSegments({ folder })).findLast((segment) => !isHistory(segment));
  return {
    folder,
    systemIdentifier,
    segmentBytes,
    next: last ? segmentAfter(last.name, segmentBytes) : startSegment,
    reachesUntil: last?.at ?? null,
    end: "",
  };
}

/**
 * Ships what is in the spool, the oldest first, to each target; what none of them can use is removed as well.
 * `before` runs once if there is anything: it copies the images that these segments may name.
 */
export async function shipSpool(
  spool: string,
  targets: readonly Target[],
  before: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await removeNotes(spool);
  const names = await segmentsIn(spool);
  if (names.length === 0) return;
  await before();
  for (const name of names) {
    signal?.throwIfAborted();
    for (const target of targets) if (target.end === "") await shipTo(target, spool, name);
    await rm(join(spool, name), { force: true });
  }
}

async function shipTo(target: Target, spool: string, name: string): Promise<void> {
  const path = join(spool, name);
  if (isHistory({ name })) return void (await write(target, path, name));
  // It was copied twice, or is older than the base.
  if (name < target.next) return;
  if (name > target.next) {
    target.end = `a piece of PostgreSQL's log is missing (${target.next}).`;
  } else if (!(await isSegmentOf(target, path, name))) {
    target.end = `a piece of PostgreSQL's log was damaged before it was backed up (${name}).`;
  } else {
    const { at } = await write(target, path, name);
    target.next = segmentAfter(name, target.segmentBytes);
    target.reachesUntil = at;
  }
}

async function write({ folder }: Target, path: string, name: string): Promise<Segment> {
  const packed = join(folder, packedSegment(name));
  const at = (await stat(path)).mtime.toISOString();
  const hashed = await writeWhole(packed, `${packed}.new`, async (to) => {
    const found = await pack(path, to, packing.segment);
    await sync(to);
    return found;
  });
  const segment = { name, ...hashed, at };
  await sync(join(folder, "wal"));
  await appendLines(join(folder, segmentList), [segment]);
  return segment;
}

/**
 * Whether a file is what its name says: its first page names the PostgreSQL, the segment's length and its
 * position (XLogLongPageHeaderData in PostgreSQL's access/xlog_internal.h). A power cut may leave one empty.
 */
async function isSegmentOf(target: Target, path: string, name: string): Promise<boolean> {
  const { systemIdentifier, segmentBytes } = target;
  await using handle = await open(path, "r");
  const { size } = await handle.stat();
  const head = Buffer.alloc(40);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  if (size !== segmentBytes || bytesRead < head.length) return false;
  return (
    head.readBigUInt64LE(8) === startOfSegment(name, segmentBytes) &&
    head.readBigUInt64LE(24) === BigInt(systemIdentifier) &&
    head.readUInt32LE(32) === segmentBytes
  );
}
