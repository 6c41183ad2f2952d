import { hash } from "node:crypto";
import { z } from "zod";
import { join, parsed, readText, replace } from "#server/platform/backup/files.ts";

/*
 * What is too large to be read every day is read in parts, one a day, so that everything was read within a month.
 * Which part is next, and when each was read, stands beside the backups (checked.json).
 */

/** What is larger is read in parts, bytes. */
export const readAtOnce = 10e9;
/** One is read a day: a month has days to spare for those on which nothing was read. */
export const partCount = 28;
const dayMs = 24 * 60 * 60_000;
const monthMs = 30 * dayMs;

const moment = z.iso.datetime().nullable();
const checkedSchema = z.object({
  /** when each was last read, and whether something in it was wrong */
  parts: z.array(z.object({ at: moment, isFaulty: z.boolean() })).length(partCount),
  /** when a daily backup was last restored as a whole, and a continuous one replayed */
  restored: moment,
  replayed: moment,
});
type Checked = z.output<typeof checkedSchema>;
export type Whole = "restored" | "replayed";

/** How much of the backups drills have read, for operators. */
export const coverageSchema = z.object({
  /** parts that were read within a month, of how many */
  read: z.number(),
  of: z.number(),
  /** when everything was last restored, which is done once in so many days */
  restoredAt: moment,
});
export type Coverage = z.output<typeof coverageSchema>;

/** Which part something belongs to, by its name: about as much is in each. */
export const partOf = (name: string): number =>
  Number.parseInt(hash("sha256", name).slice(0, 8), 16) % partCount;

/** Compares what has such a name with its hash; returns how many faults it found. */
type Check = (isIn: (name: string) => boolean) => Promise<number>;

export type Reading = {
  /** Whether what has so many bytes is read in parts. */
  isInParts: (bytes: number) => boolean;
  /** Reads all of what has so many bytes, or the parts that are due. */
  read: (bytes: number, check: Check) => Promise<void>;
  /** Whether everything is restored this time: always, or once in 28 days if that many bytes are too many. */
  isRestoreDue: (what: Whole, bytes: number) => boolean;
  /** Everything was restored, and was right. */
  noteRestored: (what: Whole) => void;
  /** null where nothing is read in parts */
  coverage: (what: Whole) => Coverage | null;
  /** Records what was read. */
  save: () => Promise<void>;
};

/** Reads and restores everything. */
export const readAll: Reading = {
  isInParts: () => false,
  read: async (_, check) => void (await check(() => true)),
  isRestoreDue: () => true,
  noteRestored: () => {},
  coverage: () => null,
  save: async () => {},
};

/** Reads a folder of backups for the drills of a day. Tests replace the clock and `most`. */
export async function readInParts(
  directory: string,
  now = new Date(),
  most = readAtOnce,
): Promise<Reading> {
  const checked = await readChecked(directory);
  const due = dueParts(checked, now);
  const at = now.toISOString();
  const faulty = new Set<number>();
  let isLarge = false;
  const isInParts = (bytes: number) => {
    const is = bytes > most;
    isLarge ||= is;
    return is;
  };
  return {
    isInParts,
    read: async (bytes, check) => {
      if (!isInParts(bytes)) return readAll.read(bytes, check);
      for (const part of due) {
        const faults = await check((name) => partOf(name) === part);
        if (faults > 0) faulty.add(part);
        checked.parts[part] = { at, isFaulty: faulty.has(part) };
      }
    },
    isRestoreDue: (what, bytes) => {
      if (!isInParts(bytes)) return true;
      const last = checked[what];
      return last === null || now.getTime() - Date.parse(last) >= partCount * dayMs - dayMs / 2;
    },
    noteRestored: (what) => void (checked[what] = at),
    coverage: (what) => (isLarge ? coverageOf(checked, what, now) : null),
    save: async () => {
      if (isLarge) await writeChecked(directory, checked);
    },
  };
}

/** As many as days went by, the longest unread first, and those in which something was wrong. */
function dueParts({ parts }: Pick<Checked, "parts">, now: Date): number[] {
  const readAt = ({ at }: Checked["parts"][number]) => (at === null ? 0 : Date.parse(at));
  const last = Math.max(...parts.map(readAt));
  const days = last === 0 ? 1 : Math.round((now.getTime() - last) / dayMs);
  const oldestFirst = parts
    .map((part, index) => ({ ...part, index, since: readAt(part) }))
    .toSorted((one, other) => one.since - other.since);
  const paced = oldestFirst.slice(0, Math.max(1, days));
  return [...new Set([...paced, ...oldestFirst.filter(({ isFaulty }) => isFaulty)])].map(
    ({ index }) => index,
  );
}

function coverageOf(checked: Checked, what: Whole, now: Date): Coverage {
  const isRecent = ({ at }: Checked["parts"][number]) =>
    at !== null && now.getTime() - Date.parse(at) < monthMs;
  const read = checked.parts.filter(isRecent).length;
  return { read, of: partCount, restoredAt: checked[what] };
}

/** For operators. */
export const coverageSentence = ({ read, of, restoredAt }: Coverage): string =>
  `It is read in parts, one a day: ${read} of ${of} within a month. ` +
  (restoredAt === null
    ? "It was not restored as a whole yet."
    : `It was last restored as a whole on ${restoredAt.slice(0, 10)}.`);

const fileIn = (directory: string): string => join(directory, "checked.json");

/** What is not readable counts as nothing: reading begins anew. */
async function readChecked(directory: string): Promise<Checked> {
  const nothing = Array.from({ length: partCount }, () => ({ at: null, isFaulty: false }));
  const checked = parsed(checkedSchema, await readText(fileIn(directory)).catch(() => null));
  return checked ?? { parts: nothing, restored: null, replayed: null };
}

const writeChecked = (directory: string, checked: Checked): Promise<void> =>
  replace(fileIn(directory), `${JSON.stringify(checked)}\n`);
