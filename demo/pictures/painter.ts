import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Look } from "../people/portraits.ts";
import type { Subject } from "./subjects.ts";

/** What to draw; the keys decide every stroke of it. */
export type Order = { keys: (string | number)[] } & (
  | { portrait: Look }
  | { subject: Subject; width: number; height: number }
);

export type Painter = {
  /** The bytes of a JPEG. */
  paint: (order: Order) => Promise<Uint8Array>;
  close: () => Promise<void>;
};

type Answer = { number: number; jpeg?: Uint8Array; problem?: string };

/**
 * Paints in threads of its own, as many as there are processors less the one that stores: a picture
 * takes up to a second of pure arithmetic.
 */
export function createPainter(): Painter {
  const script = new URL("./painter-worker.ts", import.meta.url);
  const count = Math.min(8, Math.max(1, availableParallelism() - 1));
  const workers = Array.from({ length: count }, () => ({ thread: new Worker(script), busy: 0 }));
  const waiting = new Map<number, { resolve: (jpeg: Uint8Array) => void; reject: (error: Error) => void }>();
  let last = 0;

  function fail(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  for (const worker of workers) {
    worker.thread.on("message", ({ number, jpeg, problem }: Answer) => {
      worker.busy -= 1;
      const order = waiting.get(number);
      waiting.delete(number);
      if (jpeg) order?.resolve(jpeg);
      else order?.reject(new Error(`A picture could not be painted: ${problem}`));
    });
    worker.thread.on("error", fail);
  }

  return {
    paint: (order) =>
      new Promise((resolve, reject) => {
        const number = (last += 1);
        const [idlest] = workers.toSorted((a, b) => a.busy - b.busy);
        if (!idlest) return reject(new Error("There is nobody to paint."));
        idlest.busy += 1;
        waiting.set(number, { resolve, reject });
        idlest.thread.postMessage({ number, order });
      }),
    close: async () => {
      await Promise.all(workers.map(({ thread }) => thread.terminate()));
    },
  };
}
