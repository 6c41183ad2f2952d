import cluster from "node:cluster";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Histogram } from "prom-client";
import { gauge, one, type Values } from "#server/platform/status/gauge.ts";
import { registerStatusMetrics, type Watched } from "#server/platform/status/metrics.ts";

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

const states = (counts: Record<string, number>, label = "state"): Values =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count]);

/** What a process can report about its work at any moment. */
export function countWork({ own, ...watched }: Watched & { own: readonly Own[] }): void {
  if (cluster.isWorker) answerPrimary();
  collectDefaultMetrics();
  gauge(["postcard_database_connections", "connections to the database by state", ["state"]], () =>
    states(watched.db.connections()),
  );
  for (const [name, help, read, label] of own) {
    gauge([name, help, label === undefined ? [] : [label]], () => {
      const found = read();
      return typeof found === "number" ? one(found) : states(found, label);
    });
  }
  registerStatusMetrics(watched);
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
