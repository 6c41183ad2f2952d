import { verifySegments, type Chain, type Segment } from "#server/platform/backup/chain.ts";
import { findBinaries } from "#server/platform/db/postgres-binaries.ts";
import type { RestoreOptions } from "#server/platform/backup/restore-target.ts";

/** A chain with the part of its log that can be replayed. */
export type CheckedChain = {
  chain: Chain;
  segments: Segment[];
  /** everything acknowledged until then is in them */
  reach: Date;
};

/** Null if not even its base can be made whole; a note says where its log is damaged. */
export async function checkChain(
  chain: Chain,
  notes: string[],
  { onProgress, signal }: Pick<RestoreOptions, "onProgress" | "signal">,
): Promise<CheckedChain | null> {
  let read = 0;
  const onFile = (bytes: number) => onProgress?.({ step: "log", bytes: (read += bytes) });
  const { whole, fault } = await verifySegments(chain, { onFile, signal });
  const { stopSegment } = chain.manifest;
  const last = whole.at(-1);
  const isEnough = whole.some(({ name }) => name === stopSegment);
  if (!isEnough || !last) {
    notes.push(`The backup ${chain.folder} can't be used: ${fault ?? "its log is missing"}.`);
    return null;
  }
  if (fault) {
    notes.push(
      `The backup ${chain.folder} is damaged: ${fault}. It can be restored until ${last.at}.`,
    );
  }
  return { chain, segments: whole, reach: new Date(last.at) };
}

/** Why the PostgreSQL that comes with this Postcard cannot use a chain; empty if it can. */
export function whyUnusable({ manifest }: Pick<Chain, "manifest">): string {
  const [made, major] = [Number.parseInt(manifest.postgres, 10), findBinaries().major];
  return made === major
    ? ""
    : `it is PostgreSQL ${made}'s, and this Postcard brings ${major}: restore it with the Postcard that made it`;
}
