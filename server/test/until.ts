import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a condition holds; fails after a minute, which a busy machine may need. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (await isSo()) return;
    await sleep(10);
  }
  throw new Error("it did not come to be within a minute");
}
