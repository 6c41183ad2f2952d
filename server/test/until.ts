import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something is so; fails after ten seconds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (await isSo()) return;
    await sleep(10);
  }
  throw new Error("it did not come to be within ten seconds");
}
