import type { Member, Product } from "../product.ts";
import { median, type Figure } from "../table.ts";

const rounds = 7;
const checks = 4000;
/** how many requests a busy server has under way */
const together = 8;

/** CPU time of finding out who sends a request, everything from the cookie to the viewer. */
export async function sessionCheck({ features }: Product, { cookie }: Member): Promise<Figure> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await Promise.all(
      Array.from({ length: together }, async () => {
        for (let check = 0; check < checks / together; check += 1) {
          if (!(await features.identity.sessions.viewerOf({ cookie })))
            throw new Error("Nobody found.");
        }
      }),
    );
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) times.push((user + system) / checks);
  }
  const cpu = median(times);
  return {
    what: "Session check alone: CPU",
    value: `${Math.round(cpu)} µs`,
    goal: "≤ 100 µs",
    met: cpu <= 100,
  };
}
