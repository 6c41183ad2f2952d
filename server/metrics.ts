import cluster from "node:cluster";
import type { FastifyInstance } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { backupNames, momentOf } from "#server/backup/names.ts";
import { readJobs } from "#server/db/condition.ts";
import type { Database } from "#server/db/database.ts";
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
  dataDir: string;
};

/** Counts what this process does. */
export function countWork({ db, streams, uploads, decodes, backupDir, dataDir }: Watched): void {
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
  countCondition({ db, dataDir, backupDir });
  if (backupDir !== null) countBackupAge(backupDir);
}

/** No value where there is no backup yet, or the folder cannot be read. */
function countBackupAge(directory: string): void {
  const age = new Gauge({
    name: "postcard_backup_age_seconds",
    help: "seconds since the moment of the newest whole backup in BACKUP_DIR",
    // All processes see the same folder.
    aggregator: "min",
    registers: [],
    collect() {
      this.reset();
      const taken = momentOfNewest(directory);
      if (taken) this.set((Date.now() - taken.getTime()) / 1000);
      else this.remove();
    },
  });
  register.registerMetric(age);
}

function momentOfNewest(directory: string): Date | null {
  try {
    const newest = backupNames(directory).at(-1);
    return newest === undefined ? null : momentOf(newest);
  } catch {
    return null;
  }
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
    const { method, routeOptions, url } = request;
    const route = routeOptions.url ?? "none";
    durations.observe(
      {
        method,
        route: route.endsWith("*") ? screenOf(url, screens) : route,
        status: reply.raw.statusCode,
      },
      reply.elapsedTime / 1000,
    );
  });
}

/** The screen of an address by its first word, where there is one: what strangers make up is one name. */
function screenOf(url: string, screens: ReadonlySet<string>): string {
  const [, word = ""] = /^\/([^/?]*)/.exec(url) ?? [];
  const name = word.replace(/\.data$/, "").replace(/^_root$/, "");
  return screens.has(name) ? `/${name}` : "/*";
}
