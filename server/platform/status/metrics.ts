import { readContinuous, type Continuous } from "#server/platform/backup/continuous-state.ts";
import { readFolder, type Folder } from "#server/platform/backup/folder.ts";
import type { Database } from "#server/platform/db/database.ts";
import { countJobs } from "#server/platform/db/failed-jobs.ts";
import type { DiskSpace } from "#server/platform/disk-space.ts";
import { freshFor } from "#server/platform/fresh-for.ts";
import { readBackupRun, type BackupRun } from "#server/platform/status/backup-runs.queries.ts";
import { gauge, one, type Values } from "#server/platform/status/gauge.ts";
import {
  readDatabaseMetrics,
  type DatabaseMetrics,
} from "#server/platform/status/metrics.queries.ts";

/** How long one reading serves all gauges, milliseconds. */
const freshMs = 2000;

export type Watched = {
  db: Database;
  /** free and total bytes of the disk of DATA_DIR */
  diskSpace: () => Promise<DiskSpace>;
  /** the folder of backups; null if the server takes none */
  backupDir: string | null;
  dataDir: string;
};
type Seen = {
  figures: DatabaseMetrics | null;
  jobs: Awaited<ReturnType<typeof countJobs>>;
  run: BackupRun | null;
  /** as the last inspection found it */
  folder: Folder | null;
  here: DiskSpace | null;
  continuous: Continuous | null;
};
const disks = ({ here, run }: Seen, of: "free" | "size"): Values => {
  const there = run?.[of] ?? null;
  return [
    ...(here ? [[{ disk: "data" }, here[of]] as Values[number]] : []),
    ...(there === null ? [] : [[{ disk: "backups" }, there] as Values[number]]),
  ];
};
/** A metric has no value if that is unknown: no backup was taken, or the database is not available. */
type Reading = [
  name: string,
  help: string,
  labels: string[],
  read: (seen: Seen) => Values,
  /** of several processes, which all read the same rows; "max" unless given */
  aggregator?: "min",
];
const drillOf = ({ folder }: Seen) => folder?.list.find(({ drill }) => drill !== null)?.drill;
const isFaulty = (drill: { faults: string[] } | null | undefined): Values =>
  one(drill && Number(drill.faults.length > 0));
const secondsSince = (at: number | null | undefined): Values => one(at && (Date.now() - at) / 1000);
const gauges: Reading[] = [
  [
    "postcard_disk_free_bytes",
    "free on the disk of DATA_DIR, and on that of BACKUP_DIR when a backup last looked",
    ["disk"],
    (seen) => disks(seen, "free"),
  ],
  ["postcard_disk_size_bytes", "size of these disks", ["disk"], (seen) => disks(seen, "size")],
  [
    "postcard_database_bytes",
    "size of the database",
    [],
    ({ figures }) => one(figures?.databaseBytes),
  ],
  [
    "postcard_jobs_waiting",
    "background jobs that wait for their time or are under way",
    ["name"],
    ({ jobs }) =>
      jobs.flatMap(({ name, waiting }) => (waiting > 0 ? [[{ name }, waiting] as const] : [])),
  ],
  [
    "postcard_jobs",
    "background jobs that were given up in the last ten minutes, or are ten minutes late",
    ["name", "state"],
    ({ jobs }) =>
      jobs.flatMap(({ name, failed, late }) =>
        failed + late > 0
          ? [[{ name, state: "failed" }, failed] as const, [{ name, state: "late" }, late] as const]
          : [],
      ),
  ],
  [
    "postcard_jobs_given_up",
    "background jobs that were given up within a week and not tried again",
    [],
    ({ figures }) => one(figures?.givenUp),
  ],
  [
    "postcard_troubles",
    "what operators are told of at present",
    [],
    ({ figures }) => one(figures?.troubles),
  ],
  [
    "postcard_backup_age_seconds",
    "seconds since the moment of the newest whole backup in BACKUP_DIR",
    [],
    ({ folder }) => secondsSince(folder?.list[0]?.takenAt),
  ],
  [
    "postcard_backup_folder_ready",
    "1 where BACKUP_DIR answers and is the disk of our backups, 0 where it does not or is not",
    [],
    ({ folder }) => one(folder && Number(folder.trouble === "")),
    "min",
  ],
  [
    "postcard_backup_failed",
    "1 where the last try to take a backup took none",
    [],
    ({ run }) => one(run && Number(run.failure !== "")),
  ],
  [
    "postcard_continuous_backup_age_seconds",
    "seconds since the moment until which the continuous backup reaches",
    [],
    ({ continuous }) => secondsSince(continuous?.reachesUntil),
  ],
  [
    "postcard_continuous_backup_failed",
    "1 where the continuous backup was given up, cannot begin or is behind",
    [],
    ({ continuous }) => one(continuous && Number(continuous.trouble !== "")),
  ],
  [
    "postcard_drill_age_seconds",
    "seconds since a backup was restored for a drill",
    [],
    (seen) => secondsSince(drillOf(seen)?.at),
  ],
  [
    "postcard_drill_failed",
    "1 where the last drill found that something is not right",
    [],
    (seen) => isFaulty(drillOf(seen)),
  ],
  [
    "postcard_continuous_drill_age_seconds",
    "seconds since the newest continuous backup was replayed for a drill",
    [],
    ({ folder }) => secondsSince(folder?.continuousDrill?.at),
  ],
  [
    "postcard_continuous_drill_failed",
    "1 where its last drill found that something is not right",
    [],
    ({ folder }) => isFaulty(folder?.continuousDrill),
  ],
  [
    "postcard_rotten_picture_files",
    "files of pictures that are not what they were, by the last drill's sample",
    [],
    ({ run }) => one(run?.rotten.length),
  ],
];

/** Metrics on the state of the installation. */
export function registerStatusMetrics({ db, diskSpace, backupDir, dataDir }: Watched): void {
  const seen = freshFor(freshMs, async (): Promise<Seen> => {
    const [figures, jobs, run, folder, here, continuous] = await Promise.all([
      readDatabaseMetrics(db).catch(() => null),
      countJobs(db).catch(() => []),
      backupDir === null ? null : readBackupRun(db, backupDir).catch(() => null),
      backupDir === null ? null : readFolder(db, backupDir).catch(() => null),
      diskSpace().catch(() => null),
      backupDir === null ? null : readContinuous(dataDir).catch(() => null),
    ]);
    return { figures, jobs, run, folder, here, continuous };
  });
  for (const [name, help, labels, read, aggregator = "max"] of gauges) {
    gauge([name, help, labels], async () => read(await seen()), aggregator);
  }
}
