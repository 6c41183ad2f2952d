import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Config } from "#server/config.ts";
import type { Service } from "#server/platform/lifecycle.ts";

/**
 * Answers GET /metrics at METRICS_PORT of 127.0.0.1, for all processes together; does nothing if it is not
 * set. Throws one sentence.
 */
export async function openMetricsPort(
  { metricsPort: port, processes }: Pick<Config, "metricsPort" | "processes">,
  { onStop }: Pick<Service, "onStop">,
): Promise<void> {
  if (port === null) return;
  const { AggregatorRegistry, register } = await import("prom-client");
  const all = cluster.isPrimary && processes > 1 ? new AggregatorRegistry() : null;
  const server = createServer((request, answer) => {
    if (request.url !== "/metrics") {
      answer.writeHead(404).end();
      return;
    }
    (all ? all.clusterMetrics() : register.metrics()).then(
      (body) => answer.writeHead(200, { "Content-Type": register.contentType }).end(body),
      // A process that is still starting does not answer yet.
      () => answer.writeHead(503, { "Retry-After": "5" }).end(),
    );
  });
  const listening = once(server.listen(port, "127.0.0.1"), "listening");
  await listening.catch((cause: NodeJS.ErrnoException) => {
    const problem = `METRICS_PORT is ${port}, but listening there fails (${cause.code}).`;
    throw new Error(problem, { cause });
  });
  onStop("metrics", () => {
    server.close();
    server.closeAllConnections();
  });
}
