import { continuousIn } from "#server/platform/backup/chain.ts";
import { join, readText } from "#server/platform/backup/files.ts";
import type { Coverage } from "#server/platform/backup/coverage.ts";
import { backupNames } from "#server/platform/backup/names.ts";
import { listBackups, readDrill, type DrillResult } from "#server/platform/backup/manifest.ts";

/**
 * A file that the first backup leaves in its folder: the hash of the installation's secrets, as in each
 * manifest. A mount point without its disk lacks it.
 */
export const markName = ".postcard-backups";

/** How many backups operators see. */
const shown = 14;

/** How long a folder may take to answer, milliseconds: a sleeping disk needs some seconds to wake up. */
export const patienceMs = 10_000;

/** A backup as operators see it. Times are epoch ms. */
export type BackupSummary = {
  name: string;
  takenAt: number;
  /** of its rows; images are shared by all backups */
  bytes: number;
  pictures: { count: number; bytes: number };
  rows: number;
  drill: DrillSummary | null;
};

export type DrillSummary = {
  at: number;
  seconds: number;
  faults: string[];
  /** of a folder that is read in parts */
  coverage?: Coverage | undefined;
};

/** `unmarked`: this installation has backups in that folder, but the folder there now is another one. */
export type FolderState = "ready" | "unmarked" | "unreadable";

/** What the database knows about a folder of backups. */
export type KnownFolder = {
  /** of the installation's secrets, hexadecimal */
  installation: string | null;
  /** whether this installation has backups there */
  isOurs: boolean;
};

/** What an inspection of a folder of backups found, the newest backup first. */
export type FolderInspection = {
  state: FolderState;
  backups: BackupSummary[];
  /** of the newest continuous backup; null if there is none, or it was not drilled yet */
  continuousDrill: DrillSummary | null;
  isOurs: boolean;
};

/**
 * Inspects a folder of backups. Call it only in a process of its own (inspect-folder-program.ts): a disk that
 * is gone never answers, and the process that reads it hangs.
 */
export async function inspectFolder(
  path: string,
  known: KnownFolder | null,
): Promise<FolderInspection> {
  try {
    const found = (await listBackups(path, shown)).toReversed();
    const mark = await readMark(path);
    const installation = known?.installation ?? null;
    const isOurs =
      installation !== null &&
      (mark === installation ||
        (mark === null && found.some(({ manifest }) => manifest.installation === installation)));
    if (known?.isOurs && !isOurs) return { ...nothingSeen, state: "unmarked" };
    const backups = found.map(({ name, bytes, manifest, drill }) => ({
      name,
      takenAt: Date.parse(manifest.takenAt),
      bytes,
      pictures: { count: manifest.pictures.count, bytes: manifest.pictures.bytes },
      rows: manifest.tables.reduce((total, { rows }) => total + rows, 0),
      drill: summaryOf(drill),
    }));
    return { state: "ready", backups, continuousDrill: await lastReplay(path), isOurs };
  } catch {
    return { ...nothingSeen, state: "unreadable" };
  }
}

const nothingSeen = { backups: [], continuousDrill: null, isOurs: false };

const summaryOf = (drill: DrillResult | null): DrillSummary | null =>
  drill && {
    at: Date.parse(drill.at),
    seconds: drill.seconds,
    faults: drill.faults.slice(0, 5),
    coverage: drill.coverage,
  };

async function lastReplay(path: string): Promise<DrillSummary | null> {
  const newest = (await backupNames(continuousIn(path))).at(-1);
  return newest === undefined ? null : summaryOf(await readDrill(join(continuousIn(path), newest)));
}

/** Which installation the backups in a folder belong to; null if the folder has no mark. */
export async function readMark(directory: string): Promise<string | null> {
  return (await readText(join(directory, markName)))?.trim() || null;
}

/** The sentence for operators if there is a problem with the folder; empty if there is none. */
export function troubleOf(state: FolderState | "silent", path: string): string {
  if (state === "silent") return "The backup folder does not answer.";
  if (state === "unreadable") return "The backup folder can't be read.";
  return state === "unmarked" ? unmarkedSentence(path) : "";
}

export const unmarkedSentence = (path: string): string =>
  `There is no mark of ours (${markName}) in ${path}. Is the disk mounted? If it is a new disk, run ` +
  `"npm run backup" with --new-folder once.`;
