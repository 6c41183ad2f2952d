import { readdirSync, readFileSync } from "node:fs";
import { sendLoad } from "../load.ts";
import type { Installation } from "../installation.ts";
import type { Member } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { median, type Figure } from "../table.ts";

/** Microseconds of a clock tick (proc(5); 100 a second wherever Linux runs Node). */
const tick = 10_000;
const rounds = 3;
const load = { count: 900, rate: 150 };

/**
 * Only on systems with /proc. What a request costs two processes and what it costs one: CPU of all processes
 * of the server and of the database, in turns. And how many a second each answers when 16 connections ask
 * without a pause.
 */
export async function processes(installation: Installation, { cookie }: Member): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  const costs: Record<string, number[]> = { "1": [], "2": [] };
  const rates: Record<string, number[]> = { "1": [], "2": [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const count of ["1", "2"]) {
      const server = await startPostcard(installation, { PROCESSES: count });
      try {
        const request = { url: `${server.url}/api/feed`, headers: { cookie } };
        // Code has to warm up, in each process, and the pool has to fill.
        await sendLoad({ ...request, ...load, count: 1500 * Number(count) });
        const usage = () => cpuOf(server.pid) + (installation.databaseCpu() ?? 0);
        const before = usage();
        const { answered, failed } = await sendLoad({ ...request, ...load });
        const used = usage() - before;
        if (failed > 0) throw new Error(`${failed} requests failed.`);
        costs[count]?.push(used / answered);
        const flat = { ...request, count: 600, rate: 100_000, connections: 16 };
        rates[count]?.push((await sendLoad(flat)).rate);
      } finally {
        await server.stop();
      }
    }
  }
  const [one, two] = ["1", "2"].map((count) => median(costs[count] ?? [])) as [number, number];
  const [alone, together] = ["1", "2"].map((count) => Math.round(median(rates[count] ?? [])));
  return [
    {
      what: "GET /api/feed by two processes against one: CPU a request, the database's included",
      value: `${(two / one).toFixed(2)} × (${Math.round(two)} µs against ${Math.round(one)} µs)`,
      goal: "≤ 1.1 ×",
      met: two / one <= 1.1,
    },
    {
      what: "The same, 16 connections that ask without a pause: requests a second",
      value: `${together} against ${alone}`,
      goal: "",
      met: null,
    },
  ];
}

/** CPU time of a process and those that it started, all threads, microseconds. */
function cpuOf(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    const found = Number(name) ? statOf(Number(name)) : null;
    if (found && (found.pid === pid || found.parent === pid)) ticks += found.ticks;
  }
  return ticks * tick;
}

function statOf(pid: number): { pid: number; parent: number; ticks: number } | null {
  try {
    // The name of the program is in brackets and may contain anything.
    const [, rest = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const fields = rest.split(" ").map(Number);
    return { pid, parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
  } catch {
    return null;
  }
}
