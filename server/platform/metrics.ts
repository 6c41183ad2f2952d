import cluster from "node:cluster";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Histogram } from "prom-client";
import { readFolder } from "#server/platform/backup/folder.ts";
import { readJobHealth } from "#server/platform/db/health.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { DiskSpace } from "#server/platform/disk-space.ts";
import { gauge, one, type Values } from "#server/platform/status/gauge.ts";
import { registerStatusMetrics } from "#server/platform/status/metrics.ts";

/*
 * Figures for a monitoring system, in Prometheus' text format. Loaded only when METRICS_PORT is set:
 * without it no request is counted and this library is not loaded. Each process counts for itself, and the
 * one that owns the port adds them up.
 */

/** Seconds: a feed takes a few milliseconds, a large upload half a minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A figure of the product: one number, or one for each value of its label. */
type Own = [
  name: string,
  help: string,
  read: () => number | Record<string, number>,
  label?: string,
];

/** What a process can report about its work at any moment. */
type Watched = {
  db: Database;
  own: readonly Own[];
  /** the folder of backups; null if the server takes none */
  backupDir: string | null;
  dataDir: string;
  /** free and total bytes of the disk of DATA_DIR */
  diskSpace: () => Promise<DiskSpace>;
};

const states = (counts: Record<string, number>, label = "state"): Values =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count]);

export function countWork({ db, own, backupDir, dataDir, diskSpace }: Watched): void {
  if (cluster.isWorker) answerPrimary();
  collectDefaultMetrics();
  gauge(["postcard_database_connections", "connections to the database by state", ["state"]], () =>
    states(db.connections()),
  );
  for (const [name, help, read, label] of own) {
    gauge([name, help, label === undefined ? [] : [label]], () => {
      const found = read();
      return typeof found === "number" ? one(found) : states(found, label);
    });
  }
  const about =
    "background jobs that were given up in the last ten minutes, or are ten minutes late";
  // All processes read the same rows.
  gauge(
    ["postcard_jobs", about, ["name", "state"]],
    async () =>
      (await readJobHealth(db)).flatMap(({ name, failed, late }) => [
        [{ name, state: "failed" }, failed],
        [{ name, state: "late" }, late],
      ]),
    "max",
  );
  registerStatusMetrics({ db, diskSpace, backupDir, dataDir });
  if (backupDir !== null) watchBackups(db, backupDir);
}

/** The results of the last check, which all processes read: no age without a backup. */
function watchBackups(db: Database, path: string): void {
  gauge(
    [
      "postcard_backup_age_seconds",
      "seconds since the moment of the newest whole backup in BACKUP_DIR",
    ],
    async () => {
      const [newest] = (await readFolder(db, path))?.list ?? [];
      return one(newest && (Date.now() - newest.takenAt) / 1000);
    },
    "min",
  );
  gauge(
    [
      "postcard_backup_folder_ready",
      "1 where BACKUP_DIR answers and is the disk of our backups, 0 where it does not or is not",
    ],
    async () => {
      const folder = await readFolder(db, path);
      return one(folder && Number(folder.trouble === ""));
    },
    "min",
  );
}

/** The primary asks its workers for their figures, through listeners that this adds. */
const answerPrimary = () => new AggregatorRegistry();

/** Counts requests by route and status, and how long their answers took. */
export function countRequests(
  app: FastifyInstance,
  routeOf: (request: FastifyRequest) => string,
): void {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "requests and the seconds until their answers were out",
    labelNames: ["method", "route", "status"],
    buckets,
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const route = routeOf(request);
    durations.observe({ method, route, status: reply.raw.statusCode }, reply.elapsedTime / 1000);
  });
}
