import type { Page } from "@playwright/test";
import { expect } from "./stories.ts";

/** How many posts are in a list, drawn or not. */
export const listed = (page: Page): Promise<number> =>
  page
    .locator("main :is(article, [data-far])")
    .evaluateAll((nodes) =>
      nodes.reduce((sum, node) => sum + Number(node.getAttribute("data-far") ?? 1), 0),
    );

/** Scrolls until at least so many posts are in the list. */
export async function goDownTo(page: Page, count: number): Promise<void> {
  for (let shown = await listed(page); shown < count; shown = await listed(page)) {
    await page.evaluate(() => {
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    });
    await expect.poll(() => listed(page)).toBeGreaterThan(shown);
  }
}

/** Scrolls to a post by its position in the list, the first is 0: posts are drawn as they come near. */
export async function goTo(page: Page, index: number): Promise<void> {
  const there = page.locator(`main article[aria-posinset="${index + 1}"]`);
  await expect(async () => {
    await page.evaluate((wanted) => {
      let at = 0;
      for (const node of document.querySelectorAll("main :is(article, [data-far])")) {
        const count = Number(node.getAttribute("data-far") ?? 1);
        const { top, height } = node.getBoundingClientRect();
        if (wanted < at + count) {
          if (node.matches("article")) node.scrollIntoView({ behavior: "instant" });
          else {
            const down = top + ((wanted - at + 0.5) * height) / count;
            window.scrollBy({ top: down, behavior: "instant" });
          }
          return;
        }
        at += count;
      }
    }, index);
    await expect(there).toBeInViewport({ timeout: 500 });
    // Even if it came into view on the way; drawing what is above may then move it.
    await there.evaluate(async (node) => {
      node.scrollIntoView({ behavior: "instant" });
      for (let frame = 0, last = NaN; frame < 4; frame += 1) {
        if (window.scrollY !== last) frame = 0;
        last = window.scrollY;
        await new Promise(requestAnimationFrame);
      }
    });
  }).toPass();
}
