import { setTimeout as sleep } from "node:timers/promises";
import { ask, send } from "../client.ts";
import { lostComment, removedPicture } from "../controls.ts";
import {
  examine,
  install,
  kill,
  moreIsWritten,
  remove,
  start,
  stop,
  untilItIsBack,
  whileTheyWrite,
  type Installed,
} from "../place.ts";
import { begin, seconds, type Fault, type Result } from "../result.ts";
import { importHook } from "./hasty.ts";

/** Longer than who is silent is waited for, milliseconds (scripts/lib/watchdog.mjs). */
const longerMs = 25_000;
/** As many as are replaced within ten minutes. */
const rounds = 3;

type Watched = {
  fault: string;
  settings: Record<string, string>;
  /** what the log says of each */
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
 * Twice a request goes round and round in the middle of its work, once the process is stopped, while members write. Before
 * that the server is busy for longer than a silence may take, and nothing is replaced. Nobody watches a server that
 * was started alone: that one does not come back.
 */
export const hangs: Fault = {
  name: "hang",
  short: false,
  run: async () => {
    const place = await install();
    try {
      const results = [await hangsOf(place, ofServer), await hangsOf(place, ofWorker)];
      results[0]?.controls.push(await unwatched(place));
      return results;
    } finally {
      await remove(place);
    }
  },
};

async function hangsOf(place: Installed, { fault, settings, named }: Watched): Promise<Result> {
  await stop(place);
  await start(place, { ...importHook("endless-loop"), LOG_LEVEL: "info", ...settings });
  const result = begin(place);
  const replaced: number[] = [];
  const count = () => place.server?.said().match(named)?.length ?? 0;
  await whileTheyWrite(place, async () => {
    await busy(place);
    if (count() > 0) place.ledger.isWrong("a server that was only busy was replaced");
    for (let round = 1; round <= rounds; round += 1) {
      await bothListen(place, settings);
      await moreIsWritten(place);
      const listening = listeners(place).length;
      const since = performance.now();
      if (round < rounds) goRound(place);
      else process.kill(listeners(place).at(-1) ?? 0, "SIGSTOP");
      // By now whatever was sent before it hung has its answer.
      await sleep(1000);
      const back = untilItIsBack(place, performance.now());
      while (count() < round && performance.now() - since < 3 * longerMs) await sleep(50);
      if (count() < round) place.ledger.isWrong("a process that hangs was not replaced");
      replaced.push(performance.now() - since);
      while (listeners(place).length === listening) await sleep(50);
      await findAgain(place);
      await back;
    }
  });
  if (!/POST \/api\/posts/.test(said(place))) place.ledger.isWrong("its route was not named");
  const told = `killed after ${replaced.map(seconds).join(", ")}`;
  const verdict = await examine(place, [lostComment, removedPicture]);
  return result(fault, "2 × a request in an endless loop, 1 × SIGSTOP", verdict, [told]);
}

const said = ({ server }: Installed): string => server?.said() ?? "";

function listeners(place: Installed): number[] {
  const lines = said(place).matchAll(/"pid":(\d+),[^\n]*Server listening/g);
  return [...new Set([...lines].map(([, pid]) => Number(pid)))];
}

/** A server that was replaced has another port. */
async function findAgain(place: Installed): Promise<void> {
  for (;;) {
    place.address = [...said(place).matchAll(/ready at (\S+)\n/g)].at(-1)?.[1] ?? "";
    const answer = await send(place.address, "GET", "/health/live").catch(() => null);
    if (answer) return;
    await sleep(100);
  }
}

/** Of two processes both have to be there: else nothing hangs but the whole. */
async function bothListen(place: Installed, { PROCESSES: count = "1" }): Promise<void> {
  while (listeners(place).length < Number(count)) await sleep(50);
  // It listens a moment before it is ready, and is watched from then on.
  await sleep(2000);
}

/** Its words stop whoever writes them down (faults/hooks/endless-loop.ts). */
function goRound(place: Installed): void {
  const [member] = place.members;
  const json = { caption: "round and round", pictures: [] };
  const sent = { member: member ?? null, json, patience: 3 * longerMs };
  void send(place.address, "POST", "/api/posts", sent).then(
    () => place.ledger.isWrong("nothing went round: it was answered"),
    () => undefined,
  );
}

/** Many short requests for longer than a silence may take. */
async function busy(place: Installed): Promise<void> {
  const until = performance.now() + longerMs;
  const work = Array.from({ length: 24 }, async () => {
    while (performance.now() < until) await ask(place, "GET", "/signIn").catch(() => sleep(50));
  });
  await Promise.all(work);
}

/** The control: without a supervisor the same loop ends the service. */
async function unwatched(place: Installed): Promise<string> {
  await start(place, importHook("endless-loop"));
  goRound(place);
  await sleep(longerMs);
  const answer = await send(place.address, "GET", "/health/live", { patience: 5000 }).catch(
    () => null,
  );
  if (answer) place.ledger.isWrong("a server in an endless loop answered");
  await kill(place);
  return "a server without a supervisor: silent for good, named";
}
