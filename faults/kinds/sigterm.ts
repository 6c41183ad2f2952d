import { setTimeout as sleep } from "node:timers/promises";
import { removedPicture } from "../controls.ts";
import {
  examine,
  install,
  moreIsWritten,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
} from "../place.ts";
import { begin, seconds, type Fault } from "../result.ts";

/** The specification of stopping: code 0 within this time, milliseconds. */
const stopMs = 10_000;

/**
 * SIGTERM under load: the server ends with code 0, and what it acknowledged is there. As a control it is killed
 * once instead: the code is not 0.
 */
export const sigterm: Fault = {
  name: "sigterm",
  short: false,
  run: async ({ short }) => {
    const place = await install();
    const rounds = short ? 2 : 20;
    const took: number[] = [];
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      const asked = performance.now();
      place.server?.child.kill(signal);
      const code = (await place.server?.ended) ?? null;
      took.push(performance.now() - asked);
      return code;
    };
    try {
      const result = begin(place);
      let killed: number | null = 0;
      await whileTheyWrite(place, async () => {
        for (let round = 0; round < rounds; round += 1) {
          await moreIsWritten(place);
          await sleep(Math.random() * 100);
          const since = performance.now();
          const code = await end("SIGTERM");
          if (code !== 0) place.ledger.isWrong(`SIGTERM under load ended with code ${code}`);
          await start(place, round % 2 ? { PROCESSES: "2" } : {});
          await untilItIsBack(place, since);
        }
        killed = await end("SIGKILL");
        took.pop();
        await start(place);
        await moreIsWritten(place);
      });
      if (killed === 0)
        place.ledger.isWrong("a server that was killed counted as one that ended well");
      const longest = Math.max(...took);
      const { controls, ...verdict } = await examine(place, [removedPicture]);
      controls.push(`killed instead: code ${killed}, named`);
      const told = `stopped within ${seconds(longest)} (aim ${seconds(stopMs)})`;
      return [result("SIGTERM under load", `${rounds} stops`, { ...verdict, controls }, [told])];
    } finally {
      await remove(place);
    }
  },
};
