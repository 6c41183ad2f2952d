import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sendLoad } from "../../bench/load.ts";
import { lostComment, wrongCounter } from "../controls.ts";
import { createLedger } from "../ledger.ts";
import {
  examine,
  install,
  checkAlive,
  waitForWrites,
  remove,
  start,
  stop,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";

/** Milliseconds of load, and how many connections are idle or slow. */
const loadSeconds = 15;
const wanted = { idle: 10_000, slow: 300 };
/**
 * Longer than the minute that a request's head may take, plus the half minute until that is checked (Node's
 * own limits).
 */
const slowSeconds = 100;

/**
 * Three times as many home pages as the server can make, while members write; then ten thousand idle
 * connections, and some hundred that send a byte a second. Those let in are answered, all others get nothing
 * but 503.
 */
export const crowds: Fault = {
  name: "crowds",
  short: false,
  run: async () => {
    const target = await install();
    try {
      return [await overload(target), await idleAndSlow(target)];
    } finally {
      await remove(target);
    }
  },
};

async function overload(target: Target): Promise<Result> {
  await whileTheyWrite(target, async () => void (await waitForWrites(target, 30)), {
    signUps: false,
  });
  const result = begin(target);
  const cookie = target.members[0]?.cookie ?? "";
  const load = (rate: number, during: number, connections: number) =>
    sendLoad({
      url: `${target.address}/`,
      headers: { cookie, "sec-fetch-dest": "document" },
      rate,
      count: Math.max(1, Math.round(rate * during)),
      connections,
      patience: 60_000,
    });
  await load(1000, 0.3, 8);
  const { rate: capacity } = await load(1000, 0.5, 8);
  const before = await load(capacity / 2, loadSeconds, 64);
  const memory = { before: memoryOf(target), most: 0, later: 0 };
  const crowded = load(capacity * 3, loadSeconds, 4000);
  await whileTheyWrite(
    target,
    async () => {
      for (let second = 0; second < loadSeconds; second += 1) {
        await checkAlive(target);
        memory.most = Math.max(memory.most, memoryOf(target));
        await sleep(1000);
      }
      await crowded;
    },
    { signUps: false },
  );
  const overloaded = await crowded;
  const ended = performance.now();
  await whileTheyWrite(target, () => untilItIsBack(target, ended), { signUps: false });
  await sleep(Math.max(0, 10_000 - (performance.now() - ended)));
  const after = await load(capacity / 2, 5, 64);
  memory.later = memoryOf(target);
  if (overloaded.failed > 0)
    target.ledger.isWrong(`${overloaded.failed} pages were neither made nor refused with 503`);
  const stub = await sendLoad({ url: "http://127.0.0.1:9/", rate: 100, count: 3, patience: 1000 });
  const { controls, ...verdict } = await examine(target, [wrongCounter]);
  if (stub.failed === 3) controls.push("pages that nobody answers: named");
  else target.ledger.isWrong("pages that nobody answers were not named");
  return result(
    "overload at 3 ×",
    `${overloaded.answered + overloaded.refused} pages in ${loadSeconds} s`,
    { ...verdict, controls },
    [
      `p99 of those let in ${overloaded.p99} ms, ${(overloaded.p99 / before.p99).toFixed(1)} × that of half its load (aim 2 ×)`,
      `${overloaded.refused} pages refused`,
      `memory ${memory.before} MB before, ${memory.most} MB at most, ${memory.later} MB afterwards`,
      `10 s later ${after.refused} of ${after.answered + after.refused} refused`,
    ],
  );
}

function memoryOf({ server }: Target): number {
  try {
    const status = readFileSync(`/proc/${server?.child.pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

async function idleAndSlow(target: Target): Promise<Result> {
  await start(target);
  const result = begin(target);
  // A server accepts as many connections as six tenths of its files; this process needs one for each as well.
  const files = Number(execFileSync("sh", ["-c", "ulimit -H -n"], { encoding: "utf8" })) || 10 ** 6;
  const count = Math.min(wanted.idle, Math.floor((files - 100) * 0.6) - 2 * wanted.slow);
  const { idle, slow } = await crowdAround(target, count, wanted.slow);
  const open = () => [idle, slow].map((sockets) => sockets.filter((one) => !one.destroyed).length);
  const [idleAtFirst = 0] = open();
  if (idleAtFirst < count)
    target.ledger.isWrong(`${count - idleAtFirst} of ${count} idle connections were refused`);
  const dribble = setInterval(() => slow.forEach((one) => one.destroyed || one.write("a")), 1000);
  const since = performance.now();
  await whileTheyWrite(target, async () => {
    await untilItIsBack(target, since);
    while (performance.now() - since < slowSeconds * 1000) {
      await checkAlive(target);
      await waitForWrites(target, 4);
      await sleep(500);
    }
  });
  clearInterval(dribble);
  const [idleLeft = 0, slowLeft = 0] = open();
  for (const socket of [...idle, ...slow]) socket.destroy();
  if (idleLeft === idle.length) target.ledger.isWrong("nobody who says nothing was ever sent away");
  if (slowLeft === slow.length) target.ledger.isWrong("nobody who dawdles was ever sent away");
  const { controls, ...verdict } = await examine(target, [lostComment]);
  controls.push(await fewFiles(target));
  return result(
    "idle and slow connections",
    `${count} idle, ${slow.length} with a byte a second`,
    { ...verdict, controls },
    [
      `a server with ${files} files (\`ulimit -n\`)`,
      `${idle.length - idleLeft} idle and ${slow.length - slowLeft} slow ones sent away within ${seconds(slowSeconds * 1000)}`,
    ],
  );
}

/** A server with few files refuses most of them: the check has to notice that. */
async function fewFiles(target: Target): Promise<string> {
  await start(target, { COMMAND: 'ulimit -n 220; exec "$0" server/main.ts' });
  const { idle } = await crowdAround({ ...target, ledger: createLedger() }, 300, 0);
  await sleep(1000);
  const refused = idle.filter((one) => one.destroyed).length;
  for (const socket of idle) socket.destroy();
  await stop(target);
  if (refused === 0)
    target.ledger.isWrong("a server with few files was not seen to refuse connections");
  return `300 connections to a server with 220 files: ${refused} seen refused`;
}

async function crowdAround({ address }: Target, idleCount: number, slowCount: number) {
  const { port } = new URL(address);
  const one = () => {
    const socket = connect(Number(port), "localhost");
    // A client that does not read never learns that the other side has hung up.
    return socket.on("error", () => socket.destroy()).resume();
  };
  const idle: Socket[] = [];
  while (idle.length < idleCount) {
    const some = Array.from({ length: Math.min(200, idleCount - idle.length) }, one);
    await Promise.all(
      some.map(
        (socket) =>
          new Promise((resolve) => socket.once("connect", resolve).once("close", resolve)),
      ),
    );
    idle.push(...some);
  }
  const slow = Array.from({ length: slowCount }, one);
  slow.forEach((socket, index) =>
    socket.write(
      index % 2
        ? "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
        : "POST /signIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nContent-Type: text/plain\r\n\r\n",
    ),
  );
  // A refusal arrives a moment later.
  await sleep(500);
  return { idle, slow };
}
