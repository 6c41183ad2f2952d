import { sendLoad, type Asked, type Load } from "./load.ts";
import type { MeasuredServer } from "./servers/measured-server.ts";
import { median } from "./table.ts";

export type Contender = {
  server: MeasuredServer;
  path: string;
  headers: Record<string, string>;
  /** the n-th request, if they are not all the same; n goes on from round to round */
  ask?: (index: number) => Asked;
};

type Effort = {
  /** requests of one round */
  count: number;
  /** requests a second */
  rate: number;
  /** rounds of each server, taken in turns */
  rounds: number;
  databaseCpu: () => number | null;
};

export type Measured = {
  /** CPU time of the server for one request, microseconds: the median of the rounds */
  cpu: number;
  /** the same for server and database together; NaN where the system does not report it */
  withDatabase: number;
  /** bytes of one answer's body */
  bytes: number;
  /** milliseconds: the median of the rounds */
  p50: number;
  p99: number;
};

/**
 * Requests before anything is counted. V8 keeps compiling what is requested repeatedly, on threads that count
 * as well: GET /health/live cost 1.7 ms among the first 400 requests, 0.8 among the next and 0.5 from the two
 * thousandth on. A larger program takes longer to warm up than its control, so a short warm-up would make the
 * comparison unfair.
 */
const warmUp = 2000;

/**
 * Compares two servers by the CPU time that a request costs them once they are warm, in turns (A B A B …), so
 * that other work on the machine affects both. CPU time is the same on a busy machine; throughput and latency
 * are not.
 * @throws when a request fails
 */
export async function compareCpu(
  first: Contender,
  second: Contender,
  effort: Effort,
): Promise<[Measured, Measured]> {
  const contenders = first === second ? [first] : [first, second];
  const rounds: [Round[], Round[]] = [[], []];
  for (const contender of contenders) {
    await measureRound(contender, { ...effort, count: warmUp, rate: effort.rate * 1.5 }, 0);
  }
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const from = warmUp + round * effort.count;
      rounds[index]?.push(await measureRound(contender, effort, from));
    }
  }
  if (first === second) rounds[1] = rounds[0];
  return [summary(rounds[0]), summary(rounds[1])];
}

type Round = Measured;

async function measureRound(contender: Contender, effort: Effort, from: number): Promise<Round> {
  const { server, path, headers, ask } = contender;
  const { rate, count } = effort;
  const load: Load = { url: server.url + path, headers, rate, count };
  if (ask) load.ask = (index) => ask(from + index);
  const before = [await server.usage(), effort.databaseCpu()] as const;
  const result = await sendLoad(load);
  const after = [await server.usage(), effort.databaseCpu()] as const;
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${path} failed.`);
  const cpu = after[0].cpu - before[0].cpu;
  const database = (after[1] ?? Number.NaN) - (before[1] ?? Number.NaN);
  return {
    cpu: cpu / result.answered,
    withDatabase: (cpu + database) / result.answered,
    bytes: result.bytes / result.answered,
    p50: result.p50,
    p99: result.p99,
  };
}

function summary(rounds: readonly Round[]): Measured {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  return {
    cpu: of("cpu"),
    withDatabase: of("withDatabase"),
    bytes: of("bytes"),
    p50: of("p50"),
    p99: of("p99"),
  };
}
