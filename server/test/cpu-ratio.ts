import { cpuUsage } from "node:process";

type Run = () => unknown;

interface Contest {
  /** What somebody may send to keep the server busy; run once a round. */
  hostile: Run;
  /** An ordinary input of about the same size; run once a round. */
  harmless: Run;
  /** How often each is run; an odd number has one median. */
  rounds: number;
}

/**
 * How many times the processor time of `harmless` this process spends on `hostile`: the ratio of the medians.
 * It uses processor time because the clock includes what other programs take. The two take turns, so that a
 * slow moment affects both, and each runs once before anything is counted, because first runs compile and
 * load. A control under a tenth of a millisecond would make the ratio mere noise: let it do more.
 */
export async function cpuRatio({ hostile, harmless, rounds }: Contest): Promise<number> {
  await hostile();
  await harmless();
  const costs = { hostile: [] as number[], harmless: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    costs.hostile.push(await cpuMicroseconds(hostile));
    costs.harmless.push(await cpuMicroseconds(harmless));
  }
  const control = median(costs.harmless);
  if (control < 100)
    throw new Error(`The control took ${control} µs of processor: too little to compare with.`);
  return median(costs.hostile) / control;
}

async function cpuMicroseconds(run: Run): Promise<number> {
  const before = cpuUsage();
  await run();
  const { user, system } = cpuUsage(before);
  return user + system;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}
