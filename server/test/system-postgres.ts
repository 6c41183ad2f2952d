import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logTail } from "#server/platform/db/postgres-log.ts";
import { chooseRunner, own, run } from "#server/platform/db/postgres-runner.ts";

/** The machine's PostgreSQL, which the tests use besides the embedded one; null if none is installed. */
export async function findSystemPostgres(): Promise<{ bin: string } | null> {
  const module = new URL("../../scripts/lib/system-postgres.mjs", import.meta.url).href;
  const { findSystemPostgres: find } = (await import(module)) as {
    findSystemPostgres: () => { bin: string } | null;
  };
  return find();
}

export type SystemPostgres = { connection: pg.ClientConfig; stop: () => Promise<void> };

type Options = {
  /** The folder of its programs. */
  bin: string;
  /** An empty folder. */
  home: string;
  settings: Record<string, string>;
};

/** Starts the PostgreSQL installed on this machine on data of its own, for tests only. */
export async function startSystemPostgres(options: Options): Promise<SystemPostgres> {
  const initdb = ["--username", "postcard", "--auth", "trust", "--no-sync"];
  await make(options, "initdb", [...initdb, "-E", "UTF8", "--locale", "C.UTF-8"]);
  return serve(options);
}

/** Starts a streaming replica of a PostgreSQL on this machine. */
export async function startReplica(
  options: Options & { of: pg.ClientConfig },
): Promise<SystemPostgres & { startAgain: () => Promise<SystemPostgres> }> {
  const { host = "", user = "" } = options.of;
  const source = ["--host", host, "--username", user, "--write-recovery-conf"];
  await make(options, "pg_basebackup", [...source, "--checkpoint=fast", "--no-sync"]);
  return { ...(await serve(options)), startAgain: () => serve(options) };
}

async function make({ bin, home }: Options, program: string, words: string[]): Promise<void> {
  const runner = chooseRunner(home, join(bin, "postgres"));
  const data = join(home, "data");
  const made = run(runner, join(bin, program), ["--pgdata", data, ...words], { stdio: "ignore" });
  const [code] = await once(made, "exit");
  if (code !== 0) throw new Error(`${program} ended with code ${code}`);
}

async function serve({ bin, home, settings }: Options): Promise<SystemPostgres> {
  const runner = chooseRunner(home, join(bin, "postgres"));
  const logFile = join(home, "log");
  const output = openSync(logFile, "a", 0o600);
  own(runner, logFile);
  const given = { ...settings, listen_addresses: "", unix_socket_directories: home };
  const words = Object.entries(given).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const server = run(runner, join(bin, "postgres"), ["-D", join(home, "data"), ...words], {
    stdio: ["ignore", output, output],
  });
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
