import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { ProcessReport } from "../servers/report-samples.ts";

/** What a process of the server holds: bytes, and counts. */
export type ProcessSample = {
  pid: number;
  memory: number;
  descriptors: number;
  threads: number;
};

/** The same for the database: bytes, and counts. */
export type DatabaseSample = {
  connections: number;
  /** the oldest transaction, seconds */
  oldestTransaction: number;
  bytes: number;
  wal: number;
};

/** A process and all its descendants; those that end meanwhile are left out. Linux only. */
export function sampleProcesses(root: number): ProcessSample[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = Number(name) ? statusOf(Number(name), "PPid") : null;
    if (parent !== null) parents.set(Number(name), parent);
  }
  const family = [root];
  for (const member of family) {
    for (const [pid, parent] of parents) if (parent === member) family.push(pid);
  }
  return family.flatMap((pid) => {
    const [kilobytes, threads] = [statusOf(pid, "VmRSS"), statusOf(pid, "Threads")];
    const descriptors = namesIn(`/proc/${pid}/fd`).length;
    if (kilobytes === null || threads === null || descriptors === 0) return [];
    return [{ pid, memory: kilobytes * 1024, descriptors, threads }];
  });
}

function statusOf(pid: number, field: string): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, value] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status) ?? [];
    return value === undefined ? null : Number(value);
  } catch {
    return null;
  }
}

/** The last reports of the processes, by pid. */
export function readReports(folder: string): Map<number, ProcessReport> {
  const reports = new Map<number, ProcessReport>();
  for (const name of namesIn(folder)) {
    if (!name.endsWith(".json")) continue;
    const report = JSON.parse(readFileSync(join(folder, name), "utf8")) as ProcessReport;
    reports.set(Number(name.slice(0, -".json".length)), report);
  }
  return reports;
}

/** Asks all processes but this one. */
export async function sampleDatabase(client: pg.Client): Promise<DatabaseSample> {
  const { rows } = await client.query<Record<keyof DatabaseSample, string>>(`
    select
      (select count(*) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections,
      (select coalesce(extract(epoch from max(clock_timestamp() - xact_start)), 0)
       from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()) as "oldestTransaction",
      pg_database_size(current_database()) as bytes,
      (select sum(size) from pg_ls_waldir()) as wal
  `);
  const [row] = rows;
  return {
    connections: Number(row?.connections),
    oldestTransaction: Number(row?.oldestTransaction),
    bytes: Number(row?.bytes),
    wal: Number(row?.wal),
  };
}

/** Files below some folders, and their bytes. */
export function sizeOf(...folders: string[]): { files: number; bytes: number } {
  const files = filesIn(...folders);
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

type Found = { path: string; bytes: number; age: number };

/** Files below some folders; `age`: seconds since the last write. */
export function filesIn(...folders: string[]): Found[] {
  return folders.flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) return filesIn(path);
      if (!found) return [];
      return [{ path, bytes: found.size, age: (Date.now() - found.mtimeMs) / 1000 }];
    }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
