import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startFaultyProxy } from "#server/test/faulty-proxy.ts";
import { startProgram } from "#server/test/programs.ts";
import { addressOf } from "#server/test/programs.ts";
import { send } from "../client.ts";
import { flippedLike, lostComment, wrongCounter } from "../controls.ts";
import { createLedger } from "../ledger.ts";
import {
  examine,
  install,
  checkAlive,
  waitForWrites,
  newFolder,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";

type Network = Awaited<ReturnType<typeof startFaultyProxy>>;

/** How long the database is unreachable, milliseconds: longer than every time limit of a request. */
const awayMs = { short: 4000, full: 20_000 };
/** The delay of each packet, milliseconds: an ordinary one takes less than one. And for how long. */
const slowMs = 60;
const slowForMs = 30_000;
/** The longest wait for a refusal that the product aims at, milliseconds. Reported, not judged. */
const aimMs = 2000;

/**
 * A remote PostgreSQL with network faults: slow, cut off, a black hole, connections lost silently; and one
 * that is locked until all connections of the pool wait. Every request is answered or told to come again
 * later, the process reports that it is alive, and it recovers by itself.
 */
export const database: Fault = {
  name: "database",
  short: true,
  run: async ({ short }) => {
    const postgres = startProgram([
      process.execPath,
      "server/test/postgres-holder.ts",
      newFolder(),
    ]);
    const network = await startFaultyProxy({
      host: await addressOf(postgres),
      port: 5432,
      user: "postcard",
      database: "postcard",
    });
    const { port } = network.connection;
    const target = await install({
      DATABASE_URL: `postgres://postcard@127.0.0.1:${port}/postcard`,
    });
    const rounds = short ? 1 : 3;
    const away = short ? awayMs.short : awayMs.full;
    try {
      const results: Result[] = [];
      if (!short) results.push(await slowly(target, network));
      results.push(await awayFor(target, network, "blackHole", rounds, away));
      if (short) return results;
      results.push(await awayFor(target, network, "cut", rounds, away));
      results.push(await lost(target, network, rounds));
      results.push(await locked(target, network.connection, rounds));
      results.push(await judgesAnswers());
      return results;
    } finally {
      await remove(target);
      postgres.child.kill("SIGTERM");
      await postgres.ended;
    }
  },
};

async function slowly(target: Target, network: Network): Promise<Result> {
  const result = begin(target);
  const asked = nothingAsked();
  await whileTheyWrite(target, async () => {
    await waitForWrites(target);
    network.slow(slowMs);
    await sleep(slowMs);
    await askMeanwhile(target, slowForMs, asked);
    await waitForWrites(target, 8);
    network.restore();
  });
  // There and back: a faster answer was not affected by the fault.
  if (asked.shortest < 2 * slowMs) {
    target.ledger.isWrong(`an answer took ${Math.round(asked.shortest)} ms: the way was not slow`);
  }
  const notes = [
    `${asked.served} reads served within ${seconds(asked.longest)}, ${asked.refused} refused`,
  ];
  return result(
    "database slow",
    `each way takes ${slowMs} ms more for ${seconds(slowForMs)}`,
    await examine(target, [wrongCounter]),
    notes,
  );
}

const names = { cut: "database cut off", blackHole: "database in a black hole" };

async function awayFor(
  target: Target,
  network: Network,
  how: "cut" | "blackHole",
  rounds: number,
  ms: number,
): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  const asked = nothingAsked();
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await waitForWrites(target);
      network[how]();
      await askMeanwhile(target, ms, asked);
      network.restore();
      await untilItIsBack(target, performance.now());
    }
  });
  if (asked.refused === 0) target.ledger.isWrong("nobody was refused: the database was not away");
  const notes = [
    `longest wait for a 503: ${seconds(asked.first)} for those who asked in the first second, ${seconds(asked.later)} later (aim ${seconds(aimMs)})`,
  ];
  const control = how === "cut" ? lostComment : flippedLike;
  const verdict = await examine(target, [control]);
  return result(names[how], `${rounds} × ${seconds(ms)}`, verdict, notes);
}

/** Every connection of the pool is lost silently, and new ones can be made. */
async function lost(target: Target, network: Network, rounds: number): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  let count = 0;
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await waitForWrites(target);
      count += network.loseInSilence();
      await untilItIsBack(target, performance.now());
    }
  });
  if (count === 0) target.ledger.isWrong("no connection was lost");
  return result(
    "connections lost in silence",
    `${rounds} ×, ${count} connections`,
    await examine(target, [lostComment]),
  );
}

/** The results of the requests: the longest wait for a 503, and the waits for a page, milliseconds. */
const nothingAsked = () => ({
  first: 0,
  later: 0,
  refused: 0,
  served: 0,
  shortest: Infinity,
  longest: 0,
});
type Asked = ReturnType<typeof nothingAsked>;

/** One client reads and one likes four times a second, whatever happens to their earlier requests. */
async function askMeanwhile(target: Target, ms: number, asked: Asked): Promise<void> {
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  while (performance.now() - begun < ms) {
    const isFirst = performance.now() - begun < 1000;
    answers.push(checkAlive(target), askOnce(target, isFirst ? "first" : "later", asked));
    await sleep(250);
  }
  await Promise.all(answers);
}

async function askOnce(target: Target, when: "first" | "later", asked: Asked): Promise<void> {
  const [member] = target.members;
  const answer = await send(target.address, "GET", "/api/feed", { member: member ?? null }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) {
    return target.ledger.isWrong(`GET /api/feed while the database is away: ${answer.message}`);
  }
  const fault = faultOfRefusal(answer);
  if (fault) target.ledger.isWrong(`GET /api/feed while the database is away: ${fault}`);
  if (answer.status === 503) {
    asked.refused += 1;
    asked[when] = Math.max(asked[when], answer.took);
  } else {
    asked.served += 1;
    asked.shortest = Math.min(asked.shortest, answer.took);
    asked.longest = Math.max(asked.longest, answer.took);
  }
}

/**
 * While nobody can be served there are two answers: what was asked for, and 503 with the time to come again.
 */
function faultOfRefusal({
  status,
  headers,
}: Pick<Awaited<ReturnType<typeof send>>, "status" | "headers">) {
  if (status === 200) return null;
  if (status !== 503) return String(status);
  return headers["retry-after"] ? null : "503 without Retry-After";
}

/** Locks the table that every request reads, and sends more requests than the pool has connections. */
async function locked(
  target: Target,
  connection: pg.ClientConfig,
  rounds: number,
): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  const asked = nothingAsked();
  const client = new pg.Client(connection);
  await client.connect();
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await waitForWrites(target);
      await client.query("begin; lock table accounts in access exclusive mode");
      const asking = Array.from({ length: 60 }, () => askOnce(target, "first", asked));
      await askMeanwhile(target, 4000, asked);
      await Promise.all(asking);
      await client.query("rollback");
      await untilItIsBack(target, performance.now());
    }
  });
  await client.end();
  const notes = [
    `longest wait for a 503: ${seconds(Math.max(asked.first, asked.later))} (aim ${seconds(aimMs)})`,
  ];
  const verdict = await examine(target, [wrongCounter]);
  return result("all connections wait", `${rounds} × a lock for 4 s, 60 at once`, verdict, notes);
}

/** The control for the checks while the database is away: wrong answers are reported. */
async function judgesAnswers(): Promise<Result> {
  const kinds = [
    { status: 500, headers: {} },
    { status: 404, headers: {} },
    { status: 503, headers: {} },
  ];
  const unseen = kinds.filter((answer) => faultOfRefusal(answer) === null);
  const nobody = { address: "http://127.0.0.1:9", ledger: createLedger() } as Target;
  await checkAlive(nobody);
  const wrong = unseen.map(({ status }) => `an answer of ${status} was not named`);
  if (nobody.ledger.wrong.length === 0) wrong.push("a process that does not answer was not named");
  return {
    fault: "control: wrong answers",
    injected: "4 answers",
    acknowledged: 0,
    lost: [],
    drift: [],
    wrong,
    back: [],
    controls: ["500, 404, 503 without Retry-After, and a process that does not answer: named"],
    notes: ["500, 404, 503 without `Retry-After` and a dead process: named"],
  };
}
