import { readContinuous, type Continuous } from "#server/platform/backup/continuous-state.ts";
import { readFolder } from "#server/platform/backup/folder.ts";
import type { BackupSummary } from "#server/platform/backup/inspect-folder.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { DiskSpace } from "#server/platform/disk-space.ts";
import { readBackupRun, type BackupRun } from "#server/platform/status/backup-runs.queries.ts";
import { gauge, one, type Values } from "#server/platform/status/gauge.ts";
import {
  readDatabaseMetrics,
  type DatabaseMetrics,
} from "#server/platform/status/metrics.queries.ts";

/** How long one reading serves all gauges, milliseconds. */
const freshMs = 2000;

type Watched = {
  db: Database;
  diskSpace: () => Promise<DiskSpace>;
  backupDir: string | null;
  dataDir: string;
};
type Seen = {
  figures: DatabaseMetrics | null;
  run: BackupRun | null;
  /** the result of the newest drill */
  drill: BackupSummary["drill"];
  /** of the newest continuous backup */
  continuousDrill: BackupSummary["drill"];
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
const gauges: [name: string, help: string, labels: string[], read: (seen: Seen) => Values][] = [
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
    ({ figures }) => (figures?.jobs ?? []).map(({ name, waiting }) => [{ name }, waiting]),
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
    "postcard_backup_failed",
    "1 where the last try to take a backup took none",
    [],
    ({ run }) => one(run && Number(run.failure !== "")),
  ],
  [
    "postcard_continuous_backup_age_seconds",
    "seconds since the moment until which the continuous backup reaches",
    [],
    ({ continuous }) =>
      one(continuous?.reachesUntil && (Date.now() - continuous.reachesUntil) / 1000),
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
    ({ drill }) => one(drill && (Date.now() - drill.at) / 1000),
  ],
  [
    "postcard_drill_failed",
    "1 where the last drill found that something is not right",
    [],
    ({ drill }) => one(drill && Number(drill.faults.length > 0)),
  ],
  [
    "postcard_continuous_drill_age_seconds",
    "seconds since the newest continuous backup was replayed for a drill",
    [],
    ({ continuousDrill }) => one(continuousDrill && (Date.now() - continuousDrill.at) / 1000),
  ],
  [
    "postcard_continuous_drill_failed",
    "1 where its last drill found that something is not right",
    [],
    ({ continuousDrill }) => one(continuousDrill && Number(continuousDrill.faults.length > 0)),
  ],
  [
    "postcard_rotten_picture_files",
    "files of pictures that are not what they were, by the last drill's sample",
    [],
    ({ run }) => one(run?.rotten.length),
  ],
];

/** Metrics on the state of the installation. All processes read the same rows. */
export function registerStatusMetrics({ db, diskSpace, backupDir, dataDir }: Watched): void {
  let asked: { at: number; seen: Promise<Seen> } | null = null;
  async function look(): Promise<Seen> {
    const [figures, run, folder, here, continuous] = await Promise.all([
      readDatabaseMetrics(db).catch(() => null),
      backupDir === null ? null : readBackupRun(db, backupDir).catch(() => null),
      backupDir === null ? null : readFolder(db, backupDir).catch(() => null),
      diskSpace().catch(() => null),
      backupDir === null ? null : readContinuous(dataDir).catch(() => null),
    ]);
    const drill = folder?.list.find((line) => line.drill !== null)?.drill ?? null;
    const continuousDrill = folder?.continuousDrill ?? null;
    return { figures, run, drill, continuousDrill, here, continuous };
  }
  function seen(): Promise<Seen> {
    if (!asked || performance.now() - asked.at > freshMs) {
      asked = { at: performance.now(), seen: look() };
    }
    return asked.seen;
  }
  for (const [name, help, labels, read] of gauges) {
    gauge([name, help, labels], async () => read(await seen()), "max");
  }
}
