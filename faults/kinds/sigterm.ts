import { setTimeout as sleep } from "node:timers/promises";
import { removedImage } from "../controls.ts";
import {
  examine,
  install,
  waitForWrites,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
} from "../target.ts";
import { begin, seconds, type Fault } from "../result.ts";

/** The specification of stopping: exit code 0 within this time, milliseconds. */
const stopMs = 10_000;

/**
 * SIGTERM under load: the server exits with code 0, and everything it acknowledged is stored. As a control it
 * is killed once instead: the code is not 0.
 */
export const sigterm: Fault = {
  name: "sigterm",
  short: false,
  run: async ({ short }) => {
    const target = await install();
    const rounds = short ? 2 : 20;
    const took: number[] = [];
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      const asked = performance.now();
      target.server?.child.kill(signal);
      const code = (await target.server?.ended) ?? null;
      took.push(performance.now() - asked);
      return code;
    };
    try {
      const result = begin(target);
      let killed: number | null = 0;
      await whileTheyWrite(target, async () => {
        for (let round = 0; round < rounds; round += 1) {
          await waitForWrites(target);
          await sleep(Math.random() * 100);
          const since = performance.now();
          const code = await end("SIGTERM");
          if (code !== 0) target.ledger.isWrong(`SIGTERM under load ended with code ${code}`);
          await start(target, round % 2 ? { PROCESSES: "2" } : {});
          await untilItIsBack(target, since);
        }
        killed = await end("SIGKILL");
        took.pop();
        await start(target);
        await waitForWrites(target);
      });
      if (killed === 0)
        target.ledger.isWrong("a server that was killed counted as one that ended well");
      const longest = Math.max(...took);
      const { controls, ...verdict } = await examine(target, [removedImage]);
      controls.push(`killed instead: code ${killed}, named`);
      const notes = `stopped within ${seconds(longest)} (aim ${seconds(stopMs)})`;
      return [result("SIGTERM under load", `${rounds} stops`, { ...verdict, controls }, [notes])];
    } finally {
      await remove(target);
    }
  },
};
