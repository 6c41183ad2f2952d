import { basename } from "node:path";
import { z } from "zod";
import { whyDamaged, type Check } from "#server/platform/backup/damaged.ts";
import { join, parsed, readText } from "#server/platform/backup/files.ts";
import {
  hashed,
  manifestFields,
  readSealed,
  verifyFiles,
} from "#server/platform/backup/manifest.ts";
import { backupNames, imageListName } from "#server/platform/backup/names.ts";
import { segmentAfter } from "#server/platform/db/wal-segments.ts";

/**
 * The continuous backup, in a folder of backups. PostgreSQL's words: a base is a copy of its data folder, a
 * segment a piece of its log. A base and the segments since then are a chain: it can be restored to any moment
 * after the base.
 *
 *     continuous/
 *       2026-11-28T09-00-00Z/      one chain, named after the end of its base
 *         manifest.json, manifest.json.sha256
 *         files/<path>.gz          the files of the data folder
 *         backup_label, tablespace_map   as pg_backup_stop returned them
 *         secrets.json
 *         pictures.jsonl.gz        the images at the base, as in other backups
 *         pictures-since.jsonl     the images that came since then; one may be listed again, with more files
 *         wal/<segment>.gz         and wal/<timeline>.history.gz
 *         wal.jsonl                a line for each segment, once it is durable
 *         drill.json               the result of its last drill
 *       .draft-…/                  an unfinished base; in a bucket it is one without manifest.json.sha256
 */
const chainSchema = z.object({
  ...manifestFields,
  /** when the base was done, by the database's clock: the earliest moment this can be restored to */
  takenAt: z.iso.datetime(),
  systemIdentifier: z.string().regex(/^\d{1,20}$/),
  timeline: z.number().int().min(1),
  segmentBytes: z.number().int().min(1),
  startLsn: z.string().max(20),
  stopLsn: z.string().max(20),
  startSegment: z.string().regex(/^[0-9A-F]{24}$/),
  stopSegment: z.string().regex(/^[0-9A-F]{24}$/),
  /** folders of the data folder, those that are empty too */
  folders: z.array(z.string().regex(/^[\w][\w./-]{0,200}$/)).max(100_000),
  /** files of the data folder; length and hash are those of the unpacked file */
  files: z
    .array(hashed.extend({ path: z.string().regex(/^[\w][\w./-]{0,200}$/) }))
    .max(10_000_000)
    .refine((files) => files.every(({ path }) => !path.split("/").includes(".."))),
  backupLabel: hashed,
  tablespaceMap: hashed,
});

export type ChainManifest = z.output<typeof chainSchema>;

/** A segment of PostgreSQL's log, or the history of a timeline; length and hash of the unpacked file. */
const segmentSchema = hashed.extend({
  name: z.string().regex(/^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/),
  /** when PostgreSQL wrote it last: everything acknowledged until then is in it or in one before it */
  at: z.iso.datetime(),
});
export type Segment = z.output<typeof segmentSchema>;

export type Chain = {
  /** the folder of backups, with the images */
  directory: string;
  name: string;
  /** the chain's own folder */
  folder: string;
  manifest: ChainManifest;
};

/** The bytes of all of them. */
export const bytesOf = (files: readonly { bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

export const continuousIn = (directory: string): string => join(directory, "continuous");
export const packedFile = (path: string): string => join("files", `${path}.gz`);
export const packedSegment = (name: string): string => join("wal", `${name}.gz`);
export const segmentList = "wal.jsonl";

/** The chains in a folder of backups with a whole base, the oldest first; anything else is skipped. */
export async function listChains(directory: string): Promise<Chain[]> {
  const chains: Chain[] = [];
  for (const name of await backupNames(continuousIn(directory))) {
    const found = await openChain(directory, name).catch(() => null);
    if (found) chains.push(found);
  }
  return chains;
}

/** Throws one sentence if the base is not whole, newer or damaged. */
export async function openChain(directory: string, name: string): Promise<Chain> {
  const folder = join(continuousIn(directory), basename(name));
  return {
    directory,
    name: basename(name),
    folder,
    manifest: await readSealed(folder, chainSchema),
  };
}

/** The segments of a chain in the order they were shipped. A line that an interruption cut is none. */
export async function readSegments({ folder }: Pick<Chain, "folder">): Promise<Segment[]> {
  const text = (await readText(join(folder, segmentList))) ?? "";
  const segments: Segment[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const segment = parsed(segmentSchema, line);
    // What follows cannot be replayed.
    if (segment === null) break;
    segments.push(segment);
  }
  return segments;
}

export const isHistory = ({ name }: Pick<Segment, "name">): boolean => name.endsWith(".history");

/**
 * The segments from the base on that follow each other, by their names alone; empty if those that the base
 * needs are not all there.
 */
export function consecutive(manifest: ChainManifest, segments: readonly Segment[]): Segment[] {
  const { startSegment, stopSegment, segmentBytes } = manifest;
  const byName = new Map(segments.map((segment) => [segment.name, segment]));
  const found: Segment[] = [];
  for (let name = startSegment; ; name = segmentAfter(name, segmentBytes)) {
    const segment = byName.get(name);
    if (!segment) break;
    found.push(segment);
  }
  return found.some(({ name }) => name === stopSegment) ? found : [];
}

/**
 * The moment up to which a chain can be restored if nothing in it is damaged: everything that was
 * acknowledged before is in it. Null if the log that its base needs is not whole.
 */
export async function reachOf(chain: Pick<Chain, "folder" | "manifest">): Promise<Date | null> {
  const last = consecutive(chain.manifest, await readSegments(chain)).at(-1);
  return last ? new Date(last.at) : null;
}

/** Compares a base with its manifest, without images and log. Throws one sentence for the first difference. */
export function verifyBase({ folder, manifest }: Chain, check: Check = {}): Promise<void> {
  const packed = manifest.files.map((file) => ({
    ...file,
    name: packedFile(file.path),
    isPacked: true,
  }));
  const files = [
    { name: "secrets.json", ...manifest.secrets },
    { name: "backup_label", ...manifest.backupLabel },
    { name: "tablespace_map", ...manifest.tablespaceMap },
    { name: imageListName, ...manifest.pictures.list },
    ...packed,
  ];
  return verifyFiles(folder, manifest, files, check);
}

/**
 * The segments that can be replayed after the base, each one compared with its hash, and what is wrong with
 * the one after them, in words; null if all can.
 */
export async function verifySegments(
  chain: Pick<Chain, "folder" | "manifest">,
  { isIn = () => true, onFile, signal }: Check = {},
): Promise<{ whole: Segment[]; fault: string | null }> {
  const { folder, manifest } = chain;
  const listed = await readSegments(chain);
  const whole: Segment[] = [];
  for (const segment of consecutive(manifest, listed)) {
    const name = packedSegment(segment.name);
    const why = isIn(join(basename(folder), name))
      ? await whyDamaged(folder, { ...segment, name, isPacked: true }, signal)
      : null;
    if (why) return { whole, fault: `${name} ${why}` };
    whole.push(segment);
    onFile?.(segment.bytes);
  }
  const later = listed.some((one) => !isHistory(one) && one.name > (whole.at(-1)?.name ?? ""));
  return { whole, fault: later ? "a segment is missing from wal.jsonl" : null };
}
