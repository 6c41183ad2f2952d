import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { portrait } from "../people/portraits.ts";
import { randomOf } from "../random.ts";
import type { Order } from "./painter.ts";
import { paint } from "./subjects.ts";

// The threads are ours already: one a picture.
sharp.concurrency(1);
sharp.cache(false);

parentPort?.on("message", async ({ number, order }: { number: number; order: Order }) => {
  try {
    const random = randomOf(...order.keys);
    const jpeg =
      "portrait" in order
        ? await portrait(order.portrait, random)
        : await paint(order.subject, order, random);
    parentPort?.postMessage({ number, jpeg });
  } catch (error) {
    parentPort?.postMessage({ number, problem: String(error) });
  }
});
