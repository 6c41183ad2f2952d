import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { orMissing } from "#server/adapters/image-store/durable-files.ts";
import { parsed } from "#server/platform/backup/files.ts";
import { readOff, spoolOf, spoolSize, type Off } from "#server/platform/db/wal-spool.ts";

/*
 * What this machine knows of its continuous backup, in DATA_DIR: the one place that always answers. Written by
 * the process that ships (server/platform/admin/continuous.ts), read by everybody.
 */
const moment = z.iso.datetime().nullable();
const stateSchema = z.object({
  /** the chain that is open; null: none is, and a base is due */
  chain: z.string().nullable(),
  /** of the PostgreSQL that it is a copy of */
  systemIdentifier: z.string(),
  /** of its base */
  takenAt: moment,
  /** everything acknowledged before is in BACKUP_DIR; stays when a chain ends */
  reachesUntil: moment,
  /** images changed by earlier transactions were copied */
  imagesSeen: z.string(),
  /** why the last try shipped nothing or took no base; empty if it worked */
  failure: z.string(),
  /** no base before that, after one that failed */
  baseNotBefore: moment,
});

export type ContinuousState = z.output<typeof stateSchema>;

const noState: ContinuousState = {
  chain: null,
  systemIdentifier: "",
  takenAt: null,
  reachesUntil: null,
  imagesSeen: "",
  failure: "",
  baseNotBefore: null,
};

/** How old a base is when a new chain begins, milliseconds. */
const baseMs = 7 * 24 * 60 * 60_000;
/** What may wait this long is not worth a word, milliseconds. */
const behindMs = 10 * 60_000;

const fileIn = (dataDir: string): string => join(dataDir, "postgres", "continuous.json");

/** What is not readable counts as unknown: then a new chain begins. */
export async function readState(dataDir: string): Promise<ContinuousState> {
  return parsed(stateSchema, await orMissing(readFile(fileIn(dataDir), "utf8"))) ?? noState;
}

export async function writeState(dataDir: string, state: ContinuousState): Promise<void> {
  const draft = `${fileIn(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600, flush: true });
  await rename(draft, fileIn(dataDir));
}

/** Whether a base is due: there is no chain that goes on, or it began a week ago. */
export function isBaseDue(state: ContinuousState, now: Date): boolean {
  const { chain, takenAt, baseNotBefore } = state;
  if (baseNotBefore !== null && now < new Date(baseNotBefore)) return false;
  return chain === null || now.getTime() - Date.parse(takenAt ?? "") >= baseMs;
}

/** The continuous backup as operators see it. */
export type Continuous = {
  /** epoch ms; null before the first one is whole */
  reachesUntil: number | null;
  /** what is wrong, in a sentence; empty if nothing is */
  trouble: string;
};

/** Reads DATA_DIR alone. Null where there is none yet. */
export async function readContinuous(
  dataDir: string,
  now = new Date(),
): Promise<Continuous | null> {
  const spool = spoolOf(dataDir);
  const [state, off, { oldest }] = await Promise.all([
    readState(dataDir),
    readOff(spool),
    spoolSize(spool),
  ]);
  if (state.chain === null && off === null && state.failure === "") return null;
  const reachesUntil = state.reachesUntil === null ? null : Date.parse(state.reachesUntil);
  // Where nothing waits any more, images do.
  const since = oldest?.getTime() ?? (state.failure === "" ? null : reachesUntil);
  const isBehind = since !== null && now.getTime() - since > behindMs;
  return { reachesUntil, trouble: troubleOf(state, off, isBehind) };
}

function troubleOf({ chain, failure }: ContinuousState, off: Off | null, isBehind: boolean) {
  const because = failure === "" ? "" : ` ${failure}`;
  if (off && off.why !== "") {
    return `The continuous backup was given up: ${off.why}${because} A new one begins as soon as that works again.`;
  }
  if (chain === null) return failure && `The continuous backup could not begin:${because}`;
  return isBehind ? `The continuous backup is behind.${because}` : "";
}

/** "The backup reaches until …", for operators. */
export const reachSentence = (reachesUntil: number | null): string =>
  reachesUntil === null
    ? "There is no continuous backup yet."
    : `The continuous backup reaches until ${new Date(reachesUntil).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
