import { sql } from "#server/platform/db/sql.ts";
import type { Installation } from "../installation.ts";
import type { Member, Product } from "../product.ts";
import { median, type Figure } from "../table.ts";

const rounds = 7;
const checks = 4000;
/** how many requests a busy server has in progress */
const together = 8;

const us = (cpu: number) => `${Math.round(cpu)} µs`;

/** Microseconds for one, as the median of the rounds: this process, and with the database's. */
type Cost = { here: number; withDatabase: number };

/**
 * CPU time of finding out who sends a request, from the cookie to the viewer, in turns with a prepared
 * `select 1`, the cost of any statement here.
 */
export async function sessionCheck(
  { features, db }: Product,
  { cookie }: Member,
  { databaseCpu }: Pick<Installation, "databaseCpu">,
): Promise<Figure[]> {
  const one = sql.named("bench.select-1")`select 1 as one`;
  const contenders = [
    async () => (await features.identity.sessions.viewerOf({ cookie })) !== null,
    async () => db.any(one),
  ];
  const costs: Cost[][] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, ask] of contenders.entries()) {
      const cost = await measure(ask, databaseCpu);
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  const [check, control] = costs.map((all) => ({
    here: median(all.map(({ here }) => here)),
    withDatabase: median(all.map(({ withDatabase }) => withDatabase)),
  })) as [Cost, Cost];
  return [
    {
      what: "Session check alone: CPU",
      value: `${us(check.here)}; a prepared SELECT 1: ${us(control.here)}`,
      goal: "≤ 100 µs",
      met: check.here <= 100,
    },
    ...(Number.isNaN(check.withDatabase)
      ? []
      : [
          {
            what: "The same with the database's",
            value: `${us(check.withDatabase)}; a prepared SELECT 1: ${us(control.withDatabase)}`,
            goal: "",
            met: null,
          },
        ]),
  ];
}

async function measure(
  ask: () => Promise<boolean>,
  databaseCpu: () => number | null,
): Promise<Cost> {
  const before = [process.cpuUsage(), databaseCpu() ?? Number.NaN] as const;
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let check = 0; check < checks / together; check += 1) {
        if (!(await ask())) throw new Error("Nobody found.");
      }
    }),
  );
  const { user, system } = process.cpuUsage(before[0]);
  const here = (user + system) / checks;
  const database = ((databaseCpu() ?? Number.NaN) - before[1]) / checks;
  return { here, withDatabase: here + database };
}
