import { AsyncLocalStorage } from "node:async_hooks";
import { idAt, newId } from "#server/platform/db/ids.ts";

export type Clock = {
  /** Runs `work` as if it happened at `time` (epoch milliseconds): its rows get ids of that time. */
  at: <T>(time: number, work: () => Promise<T>) => Promise<T>;
  newId: () => string;
};

/** A clock for things in the past, several at a time. Outside of `at` it shows the present. */
export function createClock(): Clock {
  const moment = new AsyncLocalStorage<number>();
  return {
    at: (time, work) => moment.run(time, work),
    newId: () => {
      const time = moment.getStore();
      return time === undefined ? newId() : idAt(time);
    },
  };
}
