import cluster from "node:cluster";
import type { FastifyInstance } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { readFolder } from "#server/backup/folder.ts";
import { readJobs } from "#server/db/condition.ts";
import type { Database } from "#server/db/database.ts";
import { routeOf } from "#server/http/note-requests.ts";
import type { Room } from "#server/free-bytes.ts";
import { countCondition } from "#server/status/metrics.ts";

/*
 * What a monitoring system asks for, in Prometheus' text. Loaded only where METRICS_PORT is set: without
 * it no request is counted and this library is not there. Each process counts for itself, and the one that
 * owns the port adds them up.
 */

/** Seconds: a feed takes a few milliseconds, a large upload half a minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What a process can say of its work at any moment. */
export type Watched = {
  db: Database;
  streams: () => number;
  /** files on their way here */
  uploads: () => { pictures: number; archives: number };
  /** pictures in the decoder, and those that wait for it */
  decodes: () => { running: number; waiting: number };
  /** the folder of backups; null where the server takes none */
  backupDir: string | null;
  /** free and all bytes of the disk of DATA_DIR */
  room: () => Promise<Room>;
};

/** Counts what this process does. */
export function countWork({ db, streams, uploads, decodes, backupDir, room }: Watched): void {
  if (cluster.isWorker) answerPrimary();
  collectDefaultMetrics();
  gauge(
    "postcard_database_connections",
    "connections to the database by state",
    ["state"],
    (set) => {
      for (const [state, count] of Object.entries(db.connections())) set({ state }, count);
    },
  );
  gauge("postcard_streams", "open streams of browsers", [], (set) => set({}, streams()));
  gauge("postcard_uploads", "files on their way to the server", ["kind"], (set) => {
    for (const [kind, count] of Object.entries(uploads())) set({ kind }, count);
  });
  gauge("postcard_decodes", "pictures in the decoder and in front of it", ["state"], (set) => {
    for (const [state, count] of Object.entries(decodes())) set({ state }, count);
  });
  const jobs = new Gauge({
    name: "postcard_jobs",
    help: "background jobs that were given up in the last ten minutes, or are ten minutes late",
    labelNames: ["name", "state"],
    // All processes read the same rows.
    aggregator: "max",
    registers: [],
    async collect() {
      const found = await readJobs(db).catch(() => null);
      this.reset();
      for (const { name, failed, late } of found ?? []) {
        this.set({ name, state: "failed" }, failed);
        this.set({ name, state: "late" }, late);
      }
    },
  });
  register.registerMetric(jobs);
  countCondition({ db, room, backupDir });
  if (backupDir !== null) watchBackups(db, backupDir);
}

/** What the last look found: no age where there is no backup yet, and nothing while the database is away. */
function watchBackups(db: Database, path: string): void {
  const age = new Gauge({
    name: "postcard_backup_age_seconds",
    help: "seconds since the moment of the newest whole backup in BACKUP_DIR",
    // All processes read the same row.
    aggregator: "min",
    registers: [],
    async collect() {
      const [newest] = (await readFolder(db, path).catch(() => null))?.list ?? [];
      this.reset();
      if (newest) this.set((Date.now() - newest.takenAt) / 1000);
      else this.remove();
    },
  });
  const ready = new Gauge({
    name: "postcard_backup_folder_ready",
    help: "1 where BACKUP_DIR answers and is the disk of our backups, 0 where it does not or is not",
    aggregator: "min",
    registers: [],
    async collect() {
      const folder = await readFolder(db, path).catch(() => null);
      this.reset();
      if (folder) this.set(folder.trouble === "" ? 1 : 0);
      else this.remove();
    },
  });
  register.registerMetric(age);
  register.registerMetric(ready);
}

/** The primary asks its workers for their figures, through listeners that this adds. */
const answerPrimary = () => new AggregatorRegistry();

type Labels = Record<string, string>;

function gauge(
  name: string,
  help: string,
  labelNames: string[],
  read: (set: (labels: Labels, value: number) => void) => void,
): void {
  const made = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      read((labels, value) => this.set(labels, value));
    },
  });
  register.registerMetric(made);
}

/** Counts requests by route and status, and how long their answers took. */
export function countRequests(app: FastifyInstance, screens: ReadonlySet<string>): void {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "requests and the seconds until their answers were out",
    labelNames: ["method", "route", "status"],
    buckets,
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const route = routeOf(request, screens);
    durations.observe({ method, route, status: reply.raw.statusCode }, reply.elapsedTime / 1000);
  });
}
