import { fork } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Look } from "../accounts/portraits.ts";
import type { Subject } from "./subjects.ts";

/** What to draw; the keys decide every stroke of it. */
export type Order = { keys: (string | number)[] } & (
  { portrait: Look } | { subject: Subject; width: number; height: number }
);

export type Painter = {
  /** The bytes of a JPEG. */
  paint: (order: Order) => Promise<Uint8Array>;
  close: () => void;
};

type Answer = { number: number; jpeg?: Uint8Array; problem?: string };
type Waiting = { resolve: (jpeg: Uint8Array) => void; reject: (error: Error) => void };

/**
 * Paints in separate processes, as many as there are processors and with the lowest priority: a photo takes
 * half a second of pure arithmetic, and it is drawn as SVG, which the images feature has turned off for the
 * whole process it runs in.
 */
export function createPainter(): Painter {
  const script = fileURLToPath(new URL("painter-process.ts", import.meta.url));
  const count = Math.min(8, availableParallelism());
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let closing = false;

  const painters = Array.from({ length: count }, () => {
    const child = fork(script, { serialization: "advanced" });
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const painter = { child, busy: 0 };
    child.on("message", ({ number, jpeg, problem }: Answer) => {
      painter.busy -= 1;
      const order = waiting.get(number);
      waiting.delete(number);
      if (jpeg) order?.resolve(jpeg);
      else order?.reject(new Error(`A picture could not be painted: ${problem}`));
    });
    child.on("exit", () => {
      if (closing) return;
      for (const { reject } of waiting.values()) reject(new Error("The painter stopped."));
      waiting.clear();
    });
    return painter;
  });

  return {
    paint: (order) =>
      new Promise((resolve, reject) => {
        const [idlest] = painters.toSorted((a, b) => a.busy - b.busy);
        if (!idlest?.child.connected) {
          reject(new Error("The painter stopped."));
          return;
        }
        last += 1;
        idlest.busy += 1;
        waiting.set(last, { resolve, reject });
        idlest.child.send({ number: last, order });
      }),
    close: () => {
      closing = true;
      for (const { child } of painters) child.disconnect();
    },
  };
}
