import type { CDPSession, Page } from "@playwright/test";

type Point = { x: number; y: number };

/** Fingers on the screen, each along its own line in a few steps. */
export async function touch(page: Page, fingers: { from: Point; to: Point }[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (share: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share,
    }));
  await send(devtools, "touchStart", at(0));
  for (const share of [0.25, 0.5, 0.75, 1]) await send(devtools, "touchMove", at(share));
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
