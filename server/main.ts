import "#server/default-node-env.ts";
import cluster from "node:cluster";
import { createServer } from "node:net";
import { withPort, readConfig, type Config } from "#server/config.ts";
import { printFailure, runService } from "#server/lifecycle.ts";
import { createLog } from "#server/log.ts";

/*
 * One process, or a primary and its workers, each of which is this program again. What each of them
 * does is loaded here and not before: a primary holds nothing of the product.
 */
try {
  const config = await withRealPort(readConfig());
  const log = createLog(config.logLevel);
  if (cluster.isWorker) {
    const { startWorker } = await import("#server/processes/worker.ts");
    await runService({ log, worker: true, start: (service) => startWorker(config, log, service) });
  } else {
    if (!config.rateLimits)
      log.warn("RATE_LIMITS is off: nothing slows down guessing and flooding");
    const { start } =
      config.processes > 1
        ? await import("#server/processes/primary.ts")
        : await import("#server/processes/single.ts");
    await runService({ log, start: (service) => start(config, log, service) });
  }
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}

/** PORT=0: the addresses in the configuration need a number before anything listens. */
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
