import { hostname } from "node:os";
import type { Logger } from "pino";
import { continuousIn } from "#server/platform/backup/chain.ts";
import {
  reachSentence,
  readContinuous,
  type Continuous,
} from "#server/platform/backup/continuous-state.ts";
import { readFolder, unseenFolder, type Folder } from "#server/platform/backup/folder.ts";
import { lastDueTime, overdueMs } from "#server/platform/backup/schedule.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { diskSpaceOf, type DiskSpace } from "#server/platform/disk-space.ts";
import { regularly } from "#server/platform/regularly.ts";
import {
  registerFolder,
  readBackupRun,
  type BackupRun,
} from "#server/platform/status/backup-runs.queries.ts";
import type { TroubleReport, Troubles } from "#server/platform/status/troubles.ts";
import { limits } from "#shared/limits.ts";
import { formatSize } from "#shared/sizes.ts";

/** How often it checks, milliseconds. */
const everyMs = 5 * 60_000;
/** The first check waits until the server has started. */
const firstMs = 30_000;

/**
 * When a missing drill is reported, milliseconds: some backups may have been taken by hand, without a drill.
 */
const drillOverdueMs = 3 * 24 * 60 * 60_000;
/** Free part of a disk: below the first a trouble begins, from the second on it is over. */
const scarce = 0.1;
const ample = 0.12;
/** How many image names a sentence lists. */
const named = 3;

const asBefore = { asBefore: true } as const;

type Deps = {
  config: Pick<Config, "dataDir" | "backupDir" | "backupAt">;
  db: Database;
  troubles: Pick<Troubles, "report" | "sweep">;
  /** tests replace the disk and the clock */
  room?: (folder: string) => Promise<DiskSpace>;
  now?: () => Date;
};

/**
 * Checks for problems that would otherwise be noticed too late, and has operators notified. For the folder of
 * backups it reads what separate processes recorded, and never touches the folder.
 */
export function createMonitor({
  config: { dataDir, backupDir, backupAt },
  db,
  troubles,
  room = diskSpaceOf,
  now = () => new Date(),
}: Deps) {
  async function look(): Promise<void> {
    const here = await room(dataDir).catch(() => null);
    if (here) await troubles.report(checkDiskSpace(here, dataDir, `${hostname()}:${dataDir}`));
    if (backupDir !== null) {
      await registerFolder(db, backupDir);
      const run = await readBackupRun(db, backupDir);
      const folder = (await readFolder(db, backupDir)) ?? unseenFolder;
      const backupState = run && { run, folder, path: backupDir, backupAt, now: now() };
      for (const found of backupState ? checkBackupFolder(backupState) : [])
        await troubles.report(found);
      const continuous = await readContinuous(dataDir, now());
      if (continuous) await troubles.report(checkContinuous(continuous, backupDir));
    }
    await troubles.sweep();
  }
  return { look };
}

/** Checks regularly, until it is stopped. */
export function startMonitor(deps: Deps & { log: Pick<Logger, "error"> }): () => void {
  const { look } = createMonitor(deps);
  const attempt = () =>
    void deps.db
      .patiently(look)
      .catch((error: unknown) => deps.log.error({ err: error }, "operators could not be told"));
  return regularly({ firstMs, everyMs }, attempt);
}

function checkDiskSpace({ free, size }: DiskSpace, folder: string, place: string): TroubleReport {
  const part = size > 0 ? free / size : 1;
  const room = `${formatSize(free)} of ${formatSize(size)}`;
  const percent = Math.floor(part * 100);
  const on = { kind: "disk", place } as const;
  if (part < scarce) {
    const floor = formatSize(limits.uploads.reserve);
    return {
      ...on,
      wrong: `The disk of ${folder} has ${room} free (${percent} %). Make room or add a disk: below ${floor} photos and backups are refused.`,
    };
  }
  return part < ample
    ? { ...on, asBefore: true }
    : { ...on, fine: `The disk of ${folder} has ${room} free (${percent} %) again.` };
}

const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

type BackupState = { run: BackupRun; folder: Folder; path: string; backupAt: number; now: Date };

function checkBackupFolder(backupState: BackupState): TroubleReport[] {
  const { run, path: place } = backupState;
  const { free, size } = run;
  const room = free === null || size === null ? [] : [checkDiskSpace({ free, size }, place, place)];
  return [
    { kind: "backup", place, ...checkLastBackup(backupState) },
    { kind: "drill", place, ...checkLastDrill(backupState) },
    { kind: "pictures", place, ...checkImages(backupState) },
    ...room,
  ];
}

function checkLastBackup({ run, folder, path, backupAt, now }: BackupState) {
  const { failure, knownSince } = run;
  const taken = folder.list[0]?.takenAt ?? null;
  const newest = taken === null ? "There is none yet." : `The newest one is of ${day(taken)}.`;
  if (folder.trouble !== "") {
    return { wrong: `No backup can be taken into ${path}: ${folder.trouble} ${newest}` };
  }
  if (failure !== "") {
    return {
      wrong: `No backup was taken: ${failure} ${newest} Postcard tries again every hour; once that is mended, there is nothing else to do.`,
    };
  }
  const due = lastDueTime(backupAt, new Date(now.getTime() - overdueMs)).getTime();
  if (Math.max(taken ?? 0, knownSince) < due) {
    return {
      wrong: `A backup into ${path} was due on ${day(due)}. ${newest} The log says why; "npm run backup" takes one now.`,
    };
  }
  return taken === null ? asBefore : { fine: `A backup was taken on ${day(taken)}.` };
}

/** Of the same kind for servers of before, which know no other: its place tells them apart. */
function checkContinuous({ reachesUntil, trouble }: Continuous, backupDir: string): TroubleReport {
  const on = { kind: "backup", place: continuousIn(backupDir) } as const;
  const reaches = reachSentence(reachesUntil);
  return trouble === "" ? { ...on, fine: reaches } : { ...on, wrong: `${trouble} ${reaches}` };
}

function checkLastDrill({ run, folder, path, now }: BackupState) {
  const [replayFault] = folder.continuousDrill?.faults ?? [];
  if (replayFault !== undefined) {
    return {
      wrong: `The continuous backup was replayed for a drill, and isn't right: ${replayFault}. Mend what it names, or move ${continuousIn(path)} away: a new one begins soon after that.`,
    };
  }
  const tried = folder.list.find(({ drill }) => drill !== null)?.drill;
  const [fault] = tried?.faults ?? [];
  if (fault !== undefined) {
    return {
      wrong: `A backup was restored for a drill, and isn't right: ${fault}. Mend what it names, then take and try one with "npm run backup -- --drill".`,
    };
  }
  const last = tried?.at ?? run.knownSince;
  if (folder.list.length > 0 && last < now.getTime() - drillOverdueMs) {
    return {
      wrong: `No backup was restored for a drill since ${day(last)}. The log says why; "npm run backup -- --drill" takes and tries one now.`,
    };
  }
  return tried
    ? { fine: `A backup was restored for a drill on ${day(tried.at)}, and everything is right.` }
    : asBefore;
}

function checkImages({ run: { rotten }, path }: BackupState) {
  if (rotten.length === 0) return { fine: "The pictures that were damaged are as they were." };
  const more = rotten.length > named ? ` and ${rotten.length - named} more` : "";
  const files = `${rotten.slice(0, named).join(", ")}${more}`;
  return {
    wrong: `Pictures are damaged or missing where the server keeps them: ${files}. ${path}/pictures has them under the same names: copy them back. "npm run admin -- check-pictures" looks at all.`,
  };
}
