import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { timeOf } from "#server/platform/db/ids.ts";
import { query } from "#server/test/query.ts";
import { send, type Member } from "../client.ts";
import { lostComment, wrongCounter } from "../controls.ts";
import {
  examine,
  install,
  waitForWrites,
  withOpenInstallation,
  remove,
  start,
  stop,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, type Fault } from "../result.ts";
import { importHook } from "./early-acknowledgement.ts";

const day = 24 * 60 * 60_000;

/**
 * The server's clock jumps a day ahead, two days back and back to the right time while members write;
 * PostgreSQL's stays right. Then the server starts with each of these clocks. (A hook shifts Date in the
 * process, because the machine's clock is shared.)
 */
export const clock: Fault = {
  name: "clock",
  short: false,
  run: async ({ short }) => {
    const target = await install();
    const file = join(target.folder, "clock");
    const settings = { ...importHook("shift-clock"), FAULTS_CLOCK: file };
    try {
      await stop(target);
      writeFileSync(file, "0");
      await start(target, settings);
      const result = begin(target);
      const shifts = short ? [day, -day, 0] : [day, -day, 0, -day, day, 0, day, 0, -day, 0];
      for (const restarts of [false, true]) {
        for (const shift of shifts) {
          if (restarts) await stop(target);
          writeFileSync(file, String(shift));
          if (restarts) await start(target, settings);
          else await sleep(300);
          await whileTheyWrite(target, async () => void (await waitForWrites(target, 10)));
          for (const sentence of await whatIsMissing(target, target.members[0])) {
            target.ledger.isWrong(`${sentence} with a clock of ${shift} ms`);
          }
        }
      }
      const stranger = { ...(target.members[0] as Member), cookie: "postcard.session=nobody" };
      const missed = await whatIsMissing(target, stranger);
      if (missed.length === 0) target.ledger.isWrong("somebody signed out was not named");
      const { controls, ...verdict } = await examine(target, [lostComment, wrongCounter]);
      controls.push(`somebody signed out: named (${missed[0]})`);
      // Each clock left posts with its dates; without them nothing was injected.
      const offs = await withOpenInstallation(target, ({ db }) =>
        query<{ id: string }>(db, "select id from posts"),
      );
      const days = new Set(offs.map(({ id }) => Math.round((timeOf(id) - Date.now()) / day)));
      if (![-1, 0, 1].every((one) => days.has(one))) {
        verdict.drift.push(
          `posts were dated ${[...days].join(", ")} days off: the clock never was`,
        );
      }
      const injected = `${shifts.length} jumps and ${shifts.length} starts, each a day off or back`;
      const notes = [`posts dated a day ahead, a day back and rightly: ${offs.length}`];
      return [result("clock a day ahead and back", injected, { ...verdict, controls }, notes)];
    } finally {
      await remove(target);
    }
  },
};

/** Checks that nobody is signed out, and that lists can be read. */
async function whatIsMissing(target: Target, member: Member | undefined): Promise<string[]> {
  const missing: string[] = [];
  for (const path of ["/", "/api/feed", "/api/notifications", "/settings"]) {
    const { status } = await send(target.address, "GET", path, { member: member ?? null });
    if (status !== 200) missing.push(`GET ${path}: ${status}`);
  }
  return missing;
}
