import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logTail } from "#server/db/postgres-log.ts";
import { chooseRunner, own, run } from "#server/db/postgres-runner.ts";

/** Starts the PostgreSQL that is installed on this machine on data of its own, for tests only. */
export async function startMachinesPostgres(options: {
  /** Folder of its programs. */
  bin: string;
  /** An empty folder. */
  home: string;
  settings: Record<string, string>;
}): Promise<{ connection: pg.ClientConfig; stop: () => Promise<void> }> {
  const { bin, home, settings } = options;
  const runner = chooseRunner(home, join(bin, "postgres"));
  const logFile = join(home, "log");
  const output = openSync(logFile, "a", 0o600);
  own(runner, logFile);
  const stdio = ["ignore" as const, output, output];
  const data = join(home, "data");
  const initdb = ["--pgdata", data, "--username", "postcard", "--auth", "trust", "--no-sync"];
  const made = run(runner, join(bin, "initdb"), [...initdb, "-E", "UTF8", "--locale", "C.UTF-8"], {
    stdio,
  });
  await once(made, "exit");
  const given = { ...settings, listen_addresses: "", unix_socket_directories: home };
  const words = Object.entries(given).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const server = run(runner, join(bin, "postgres"), ["-D", data, ...words], { stdio });
  closeSync(output);
  const ended = once(server, "exit");
  const connection = { host: home, port: 5432, user: "postcard", database: "postgres" };
  await untilItAnswers(connection, logFile);
  return {
    connection,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
    },
  };
}

async function untilItAnswers(connection: pg.ClientConfig, logFile: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const client = new pg.Client(connection);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`The machine's PostgreSQL does not start: ${logTail(logFile, 0)}`);
}
