import { setTimeout as sleep } from "node:timers/promises";
import { ask, send } from "../client.ts";
import { lostComment, removedImage } from "../controls.ts";
import {
  examine,
  install,
  kill,
  waitForWrites,
  remove,
  start,
  stop,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";
import { importHook } from "./early-acknowledgement.ts";

/** Longer than a silent process is waited for, milliseconds (scripts/lib/watchdog.mjs). */
const longerMs = 25_000;
/** As many as are replaced within ten minutes. */
const rounds = 3;

type Watched = {
  fault: string;
  settings: Record<string, string>;
  /** the log line of each */
  named: RegExp;
};

const ofServer: Watched = {
  fault: "the server hangs",
  settings: { COMMAND: 'exec "$0" scripts/start.mjs' },
  named: /has said nothing for \d+ s\. It is replaced\./g,
};

const ofWorker: Watched = {
  fault: "one process of two hangs",
  settings: { PROCESSES: "2" },
  named: /says nothing any more: it is killed/g,
};

/**
 * Twice a request loops endlessly in the middle of its work, once the process is stopped, while members
 * write. Before that the server is busy for longer than it may be silent, and nothing is replaced. A server
 * that was started alone is not supervised: that one does not come back.
 */
export const hangs: Fault = {
  name: "hang",
  short: false,
  run: async () => {
    const target = await install();
    try {
      const results = [await hangsOf(target, ofServer), await hangsOf(target, ofWorker)];
      results[0]?.controls.push(await unwatched(target));
      return results;
    } finally {
      await remove(target);
    }
  },
};

async function hangsOf(target: Target, { fault, settings, named }: Watched): Promise<Result> {
  await stop(target);
  await start(target, { ...importHook("endless-loop"), LOG_LEVEL: "info", ...settings });
  const result = begin(target);
  const replaced: number[] = [];
  const count = () => target.server?.said().match(named)?.length ?? 0;
  await whileTheyWrite(target, async () => {
    await busy(target);
    if (count() > 0) target.ledger.isWrong("a server that was only busy was replaced");
    for (let round = 1; round <= rounds; round += 1) {
      await bothListen(target, settings);
      await waitForWrites(target);
      const listening = listeners(target).length;
      const since = performance.now();
      if (round < rounds) goRound(target);
      else process.kill(listeners(target).at(-1) ?? 0, "SIGSTOP");
      // By now everything sent before it hung has its answer.
      await sleep(1000);
      const back = untilItIsBack(target, performance.now());
      while (count() < round && performance.now() - since < 3 * longerMs) await sleep(50);
      if (count() < round) target.ledger.isWrong("a process that hangs was not replaced");
      replaced.push(performance.now() - since);
      while (listeners(target).length === listening) await sleep(50);
      await findAgain(target);
      await back;
    }
  });
  if (!/POST \/api\/posts/.test(said(target))) target.ledger.isWrong("its route was not named");
  const notes = `killed after ${replaced.map(seconds).join(", ")}`;
  const verdict = await examine(target, [lostComment, removedImage]);
  return result(fault, "2 × a request in an endless loop, 1 × SIGSTOP", verdict, [notes]);
}

const said = ({ server }: Target): string => server?.said() ?? "";

function listeners(target: Target): number[] {
  const lines = said(target).matchAll(/"pid":(\d+),[^\n]*Server listening/g);
  return [...new Set([...lines].map(([, pid]) => Number(pid)))];
}

/** A server that was replaced has another port. */
async function findAgain(target: Target): Promise<void> {
  for (;;) {
    target.address = [...said(target).matchAll(/ready at (\S+)\n/g)].at(-1)?.[1] ?? "";
    const answer = await send(target.address, "GET", "/health/live").catch(() => null);
    if (answer) return;
    await sleep(100);
  }
}

/** Both of two processes have to be up: else the whole server hangs. */
async function bothListen(target: Target, { PROCESSES: count = "1" }): Promise<void> {
  while (listeners(target).length < Number(count)) await sleep(50);
  // It listens a moment before it is ready, and is watched from then on.
  await sleep(2000);
}

/** Its words block the process that writes them (faults/hooks/endless-loop.ts). */
function goRound(target: Target): void {
  const [member] = target.members;
  const json = { caption: "round and round", pictures: [] };
  const sent = { member: member ?? null, json, patience: 3 * longerMs };
  void send(target.address, "POST", "/api/posts", sent).then(
    () => target.ledger.isWrong("nothing went round: it was answered"),
    () => undefined,
  );
}

/** Many short requests for longer than a process may be silent. */
async function busy(target: Target): Promise<void> {
  const until = performance.now() + longerMs;
  const work = Array.from({ length: 24 }, async () => {
    while (performance.now() < until) await ask(target, "GET", "/signIn").catch(() => sleep(50));
  });
  await Promise.all(work);
}

/** The control: without a supervisor the same loop ends the service. */
async function unwatched(target: Target): Promise<string> {
  await start(target, importHook("endless-loop"));
  goRound(target);
  await sleep(longerMs);
  const answer = await send(target.address, "GET", "/health/live", { patience: 5000 }).catch(
    () => null,
  );
  if (answer) target.ledger.isWrong("a server in an endless loop answered");
  await kill(target);
  return "a server without a supervisor: silent for good, named";
}
