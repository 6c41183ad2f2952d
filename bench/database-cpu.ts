import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { readPidFile } from "#server/platform/db/postgres-processes.ts";

/** Linux's unit of process times: a hundredth of a second, in microseconds. */
const tick = 10_000;

/**
 * The CPU time that a PostgreSQL on this machine has used so far, microseconds: of its postmaster, of the
 * processes it started, and of those that have ended. Null where the system has no /proc.
 */
export async function watchDatabaseCpu(connection: pg.ClientConfig): Promise<() => number | null> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  await client.end();
  const postmaster = readPidFile(rows[0]?.data_directory ?? "")?.pid;
  return () => (postmaster && process.platform === "linux" ? cpuOf(postmaster) : null);
}

function cpuOf(postmaster: number): number {
  let cpu = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!pid) continue;
    const used = readProcess(pid);
    if (!used) continue;
    if (pid === postmaster) cpu += used.own + used.ended;
    // with the commands that its archiver ran
    else if (used.parent === postmaster) cpu += used.own + used.ended;
  }
  return cpu;
}

/** The CPU time of one process so far, milliseconds; null where the system has no /proc. */
export function cpuOfProcess(pid: number): number | null {
  const used = process.platform === "linux" ? readProcess(pid) : null;
  return used && used.own / 1000;
}

/** The CPU time of all processes that this one started and that have ended, microseconds; 0 where there is no /proc. */
export const cpuOfEnded = (): number => readProcess(process.pid)?.ended ?? 0;

/** Null for one that has ended meanwhile. */
function readProcess(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields after the name, which may contain anything: proc(5), from the third field on.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
    // Nanoseconds: a request costs less than a tick.
    const [running] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return { parent: Number(fields[1]), own: Number(running) / 1000, ended: ticks(13) * tick };
  } catch {
    return null;
  }
}
