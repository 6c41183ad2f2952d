import sharp from "sharp";
import { portrait } from "../accounts/portraits.ts";
import { randomOf } from "../random.ts";
import type { Order } from "./painter.ts";
import { paint } from "./subjects.ts";

// There are as many painter processes as processors.
sharp.concurrency(1);
sharp.cache(false);

process.on("message", async ({ number, order }: { number: number; order: Order }) => {
  try {
    const random = randomOf(...order.keys);
    const jpeg =
      "portrait" in order
        ? await portrait(order.portrait, random)
        : await paint(order.subject, order, random);
    process.send?.({ number, jpeg });
  } catch (error) {
    process.send?.({ number, problem: String(error) });
  }
});
// The process that gave the orders is gone, however that happened.
process.on("disconnect", () => process.exit());
