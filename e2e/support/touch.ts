import type { CDPSession, Page } from "@playwright/test";

type Point = { x: number; y: number };

const steps = 10;

/**
 * Fingers on the screen, each along its own line in small steps. In large ones Chromium, which draws where
 * it expects a finger to be in a moment, scrolls up to a third further than the finger went.
 */
export async function touch(page: Page, fingers: { from: Point; to: Point }[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (share: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share,
    }));
  await send(devtools, "touchStart", at(0));
  for (let step = 1; step <= steps; step += 1) await send(devtools, "touchMove", at(step / steps));
  await send(devtools, "touchEnd", []);
  await devtools.detach();
}

async function send(
  devtools: CDPSession,
  type: "touchStart" | "touchMove" | "touchEnd",
  touchPoints: Point[],
) {
  await devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
}
