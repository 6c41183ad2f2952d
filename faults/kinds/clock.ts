import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../client.ts";
import { lostComment } from "../controls.ts";
import { examine, install, moreIsWritten, remove, start, stop, whileTheyWrite } from "../place.ts";
import { begin, type Fault } from "../result.ts";
import { importHook } from "./hasty.ts";

const day = 24 * 60 * 60_000;

/**
 * The clock of the server jumps a day ahead, two days back and home again while members write; PostgreSQL's
 * stays right. Then the server starts under each of these clocks. (A hook shifts Date in the process: the clock of
 * the machine belongs to everybody on it.)
 */
export const clock: Fault = {
  name: "clock",
  short: false,
  run: async ({ short }) => {
    const place = await install();
    const file = join(place.folder, "clock");
    const settings = { ...importHook("shift-clock"), FAULTS_CLOCK: file };
    try {
      await stop(place);
      writeFileSync(file, "0");
      await start(place, settings);
      const result = begin(place);
      const shifts = short ? [day, -day, 0] : [day, -day, 0, -day, day, 0, day, 0, -day, 0];
      for (const restarts of [false, true]) {
        for (const shift of shifts) {
          if (restarts) await stop(place);
          writeFileSync(file, String(shift));
          if (restarts) await start(place, settings);
          else await sleep(300);
          await whileTheyWrite(place, async () => void (await moreIsWritten(place, 10)));
          // Nobody was signed out, and what is newest is shown.
          for (const path of ["/", "/api/feed", "/api/notifications"]) {
            const { status } = await send(place.address, "GET", path, {
              member: place.members[0] ?? null,
            });
            if (status !== 200)
              place.ledger.isWrong(`GET ${path}: ${status} with a clock of ${shift} ms`);
          }
        }
      }
      const verdict = await examine(place, [lostComment]);
      const injected = `${shifts.length} jumps and ${shifts.length} starts, each a day off or back`;
      return [result("clock a day ahead and back", injected, verdict)];
    } finally {
      await remove(place);
    }
  },
};
