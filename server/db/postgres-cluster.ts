import { closeSync, existsSync, fsyncSync, openSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import type { Binaries } from "#server/db/postgres-binaries.ts";
import { logSize, logTail } from "#server/db/postgres-log.ts";
import { own, run, type Runner } from "#server/db/postgres-runner.ts";

/** The first of these that the machine knows decides what counts as a letter in text search. */
const ctypes = process.platform === "darwin" ? ["UTF-8", "C"] : ["C.UTF-8", "C"];

const initdbMs = 120_000;

/**
 * Returns the data directory in `home`, making it where it is missing: under another name first,
 * so that one which was interrupted is never taken for a whole one. Throws one sentence.
 */
export async function ensureCluster(options: {
  home: string;
  runner: Runner;
  binaries: Binaries;
}): Promise<string> {
  const { home, runner, binaries } = options;
  const cluster = join(home, "data");
  for (const name of readdirSync(home).filter((name) => name.startsWith("draft-"))) {
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
  }
  if (existsSync(cluster)) {
    refuseOtherVersion(cluster, runner);
    return cluster;
  }
  const logFile = join(home, "postgres.log");
  const from = logSize(logFile);
  for (const ctype of ctypes) {
    const draft = join(home, `draft-${process.pid}-${ctype}`);
    if (await initdb({ draft, ctype, runner, binaries, logFile })) {
      renameSync(draft, cluster);
      syncDir(home);
      return cluster;
    }
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
  throw new Error(`PostgreSQL's data could not be made in ${home}: ${logTail(logFile, from)}`);
}

async function initdb(options: {
  draft: string;
  ctype: string;
  runner: Runner;
  binaries: Binaries;
  logFile: string;
}): Promise<boolean> {
  const { draft, ctype, runner, binaries, logFile } = options;
  const args = [
    `--pgdata=${draft}`,
    "--username=postcard",
    "--auth=trust",
    "--data-checksums",
    "--encoding=UTF8",
    // Sorting and case rules from PostgreSQL itself: the same on every machine.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${ctype}`,
  ];
  const output = openSync(logFile, "a", 0o600);
  own(runner, logFile);
  try {
    const child = run(runner, binaries.initdb, args, { stdio: ["ignore", output, output] });
    const tooLong = setTimeout(() => child.kill("SIGKILL"), initdbMs);
    const [code] = (await once(child, "exit")) as [number | null];
    clearTimeout(tooLong);
    return code === 0;
  } finally {
    closeSync(output);
  }
}

function refuseOtherVersion(cluster: string, runner: Runner): void {
  const made = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const major = /\d+/.exec(runner.version)?.[0];
  if (made === major) return;
  throw new Error(
    `The data in ${cluster} was made by PostgreSQL ${made}, but this Postcard brings ${major}: ` +
      "start the Postcard that made it, or move the data over as docs/operations.md says.",
  );
}

function syncDir(dir: string): void {
  const handle = openSync(dir, "r");
  fsyncSync(handle);
  closeSync(handle);
}
