import { cpuOfEnded } from "./database-cpu.ts";

/** What some work takes: seconds by the clock, and of processors. */
export type Cost = { seconds: number; cpu: number };
export type CostOf = ReturnType<typeof costOf>;

/** Of this process, of those it started that have ended, and of the database. */
export function costOf(database: () => number | null) {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system + cpuOfEnded() + (database() ?? 0)) / 1e6;
  };
  return async (work: () => Promise<unknown>): Promise<Cost> => {
    const [started, before] = [performance.now(), used()];
    await work();
    return { seconds: (performance.now() - started) / 1000, cpu: used() - before };
  };
}

export const inWords = ({ seconds, cpu }: Cost): string =>
  `${cpu.toFixed(1)} s of processor in ${seconds.toFixed(0)} s`;
