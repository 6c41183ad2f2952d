import "#server/default-node-env.ts";
import cluster from "node:cluster";
import { createServer } from "node:net";
import { withPort, readConfig, type Config } from "#server/config.ts";
import { printFailure, runService } from "#server/platform/lifecycle.ts";
import { createLog } from "#server/platform/log.ts";
import type { Begun } from "#server/platform/processes/serving.ts";

/*
 * Runs as one process, or as a primary and its workers, each of which is this program again. What each of
 * them needs is only loaded here: a primary loads nothing of the product.
 */
try {
  const config = await withRealPort(readConfig());
  const log = createLog(config.logLevel);
  const { isWorker } = cluster;
  if (!isWorker && !config.rateLimits)
    log.warn("RATE_LIMITS is off: nothing slows down guessing and flooding");
  const start = await stepsFor(config, isWorker);
  await runService({ log, worker: isWorker, start: (service) => start({ config, log, service }) });
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}

async function stepsFor({ processes }: Config, isWorker: boolean) {
  if (!isWorker && processes > 1)
    return (await import("#server/platform/processes/primary.ts")).start;
  const { serve } = await import("#server/serve.ts");
  const { start } = isWorker
    ? await import("#server/platform/processes/worker.ts")
    : await import("#server/platform/processes/single.ts");
  return (begun: Begun) => start({ ...begun, serve });
}

/** With PORT=0 the system chooses the port first: the addresses in the configuration contain it. */
async function withRealPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, config.host, () => resolve((probe.address() as { port: number }).port));
  });
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return withPort(config, port);
}
