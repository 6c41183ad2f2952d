import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { networkTo } from "#server/test/network.ts";
import { startProgram } from "#server/test/programs.ts";
import { addressOf } from "#server/test/programs.ts";
import { send } from "../client.ts";
import { flippedLike, lostComment, wrongCounter } from "../controls.ts";
import { createLedger } from "../ledger.ts";
import {
  examine,
  install,
  lives,
  moreIsWritten,
  newFolder,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Installed,
} from "../place.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";

type Network = Awaited<ReturnType<typeof networkTo>>;

/** As long as nobody can reach the database, milliseconds: the whole run waits longer than every bound of a request. */
const awayMs = { short: 4000, full: 20_000 };
/** Each piece on its way, milliseconds: an ordinary one takes less than one. And for how long. */
const slowMs = 60;
const slowForMs = 30_000;
/** The wait for a refusal that the product aims at, milliseconds. Told, not judged. */
const aimMs = 2000;

/**
 * A PostgreSQL elsewhere, and what a network does to the way there: slow, cut, a black hole, connections lost
 * without a word; and one that somebody locked, until all connections of the pool wait. Whoever asks is answered or told to come later, the
 * process answers that it lives, and it comes back by itself.
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
    const network = await networkTo({
      host: await addressOf(postgres),
      port: 5432,
      user: "postcard",
      database: "postcard",
    });
    const { port } = network.connection;
    const place = await install({ DATABASE_URL: `postgres://postcard@127.0.0.1:${port}/postcard` });
    const rounds = short ? 1 : 3;
    const away = short ? awayMs.short : awayMs.full;
    try {
      const results: Result[] = [];
      if (!short) results.push(await slowly(place, network));
      results.push(await awayFor(place, network, "blackHole", rounds, away));
      if (short) return results;
      results.push(await awayFor(place, network, "cut", rounds, away));
      results.push(await lost(place, network, rounds));
      results.push(await locked(place, network.connection, rounds));
      results.push(await judgesAnswers());
      return results;
    } finally {
      await remove(place);
      postgres.child.kill("SIGTERM");
      await postgres.ended;
    }
  },
};

async function slowly(place: Installed, network: Network): Promise<Result> {
  const result = begin(place);
  const asked = nothingAsked();
  await whileTheyWrite(place, async () => {
    await moreIsWritten(place);
    network.slow(slowMs);
    await sleep(slowMs);
    await askMeanwhile(place, slowForMs, asked);
    await moreIsWritten(place, 8);
    network.restore();
  });
  // There and back again: whoever was answered sooner did not meet what was injected.
  if (asked.shortest < 2 * slowMs) {
    place.ledger.isWrong(`an answer took ${Math.round(asked.shortest)} ms: the way was not slow`);
  }
  const told = [
    `${asked.served} reads served within ${seconds(asked.longest)}, ${asked.refused} refused`,
  ];
  return result(
    "database slow",
    `each way takes ${slowMs} ms more for ${seconds(slowForMs)}`,
    await examine(place, [wrongCounter]),
    told,
  );
}

const names = { cut: "database cut off", blackHole: "database in a black hole" };

async function awayFor(
  place: Installed,
  network: Network,
  how: "cut" | "blackHole",
  rounds: number,
  ms: number,
): Promise<Result> {
  if (!place.server) await start(place);
  const result = begin(place);
  const asked = nothingAsked();
  await whileTheyWrite(place, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await moreIsWritten(place);
      network[how]();
      await askMeanwhile(place, ms, asked);
      network.restore();
      await untilItIsBack(place, performance.now());
    }
  });
  if (asked.refused === 0) place.ledger.isWrong("nobody was refused: the database was not away");
  const told = [
    `longest wait for a 503: ${seconds(asked.first)} for those who asked in the first second, ${seconds(asked.later)} later (aim ${seconds(aimMs)})`,
  ];
  const control = how === "cut" ? lostComment : flippedLike;
  const verdict = await examine(place, [control]);
  return result(names[how], `${rounds} × ${seconds(ms)}`, verdict, told);
}

/** Every connection of the pool is lost without a word, and new ones can be made. */
async function lost(place: Installed, network: Network, rounds: number): Promise<Result> {
  if (!place.server) await start(place);
  const result = begin(place);
  let count = 0;
  await whileTheyWrite(place, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await moreIsWritten(place);
      count += network.loseInSilence();
      await untilItIsBack(place, performance.now());
    }
  });
  if (count === 0) place.ledger.isWrong("no connection was lost");
  return result(
    "connections lost in silence",
    `${rounds} ×, ${count} connections`,
    await examine(place, [lostComment]),
  );
}

/** What became of those who asked: the longest wait for a 503, and the waits for a page, milliseconds. */
const nothingAsked = () => ({
  first: 0,
  later: 0,
  refused: 0,
  served: 0,
  shortest: Infinity,
  longest: 0,
});
type Asked = ReturnType<typeof nothingAsked>;

/** Somebody reads and somebody likes four times a second, whatever becomes of those before. */
async function askMeanwhile(place: Installed, ms: number, asked: Asked): Promise<void> {
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  while (performance.now() - begun < ms) {
    const isFirst = performance.now() - begun < 1000;
    answers.push(lives(place), askOnce(place, isFirst ? "first" : "later", asked));
    await sleep(250);
  }
  await Promise.all(answers);
}

async function askOnce(place: Installed, when: "first" | "later", asked: Asked): Promise<void> {
  const [member] = place.members;
  const answer = await send(place.address, "GET", "/api/feed", { member: member ?? null }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) {
    return place.ledger.isWrong(`GET /api/feed while the database is away: ${answer.message}`);
  }
  const fault = faultOfRefusal(answer);
  if (fault) place.ledger.isWrong(`GET /api/feed while the database is away: ${fault}`);
  if (answer.status === 503) {
    asked.refused += 1;
    asked[when] = Math.max(asked[when], answer.took);
  } else {
    asked.served += 1;
    asked.shortest = Math.min(asked.shortest, answer.took);
    asked.longest = Math.max(asked.longest, answer.took);
  }
}

/** While nobody can be served there are two answers: what was asked for, and 503 with the time to come again. */
function faultOfRefusal({
  status,
  headers,
}: Pick<Awaited<ReturnType<typeof send>>, "status" | "headers">) {
  if (status === 200) return null;
  if (status !== 503) return String(status);
  return headers["retry-after"] ? null : "503 without Retry-After";
}

/** Somebody locks the table that every request reads, and more ask than the pool has connections. */
async function locked(
  place: Installed,
  connection: pg.ClientConfig,
  rounds: number,
): Promise<Result> {
  if (!place.server) await start(place);
  const result = begin(place);
  const asked = nothingAsked();
  const client = new pg.Client(connection);
  await client.connect();
  await whileTheyWrite(place, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await moreIsWritten(place);
      await client.query("begin; lock table accounts in access exclusive mode");
      const asking = Array.from({ length: 60 }, () => askOnce(place, "first", asked));
      await askMeanwhile(place, 4000, asked);
      await Promise.all(asking);
      await client.query("rollback");
      await untilItIsBack(place, performance.now());
    }
  });
  await client.end();
  const told = [
    `longest wait for a 503: ${seconds(Math.max(asked.first, asked.later))} (aim ${seconds(aimMs)})`,
  ];
  const verdict = await examine(place, [wrongCounter]);
  return result("all connections wait", `${rounds} × a lock for 4 s, 60 at once`, verdict, told);
}

/** The control of what is judged while the database is away: answers that nobody may get are named. */
async function judgesAnswers(): Promise<Result> {
  const kinds = [
    { status: 500, headers: {} },
    { status: 404, headers: {} },
    { status: 503, headers: {} },
  ];
  const unseen = kinds.filter((answer) => faultOfRefusal(answer) === null);
  const nobody = { address: "http://127.0.0.1:9", ledger: createLedger() } as Installed;
  await lives(nobody);
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
    told: ["500, 404, 503 without `Retry-After` and a dead process: named"],
  };
}
