import type { Page } from "@playwright/test";
import { addMember, post } from "./support/members.ts";
import { expect, phone, test } from "./support/stories.ts";

const tiles = (page: Page) =>
  page.locator("section[aria-labelledby=tag] ul > li:not([aria-hidden])");
const tile = (page: Page, number: number) =>
  tiles(page).filter({ has: page.getByText(`Grid ${number} #thousandtiles`, { exact: true }) });
const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const grid = (page: Page) => page.locator("section[aria-labelledby=tag] ul");
const height = (page: Page) => grid(page).evaluate((list) => list.getBoundingClientRect().height);

/** How many tiles the grid has room for, by its height. */
const listed = (page: Page) =>
  grid(page).evaluate((list) => {
    const gap = Number.parseFloat(getComputedStyle(list).rowGap);
    const pitch = (list.clientWidth + gap) / 3;
    return 3 * Math.round((list.getBoundingClientRect().height + gap) / pitch);
  });

const goDown = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  });

async function goDownTo(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await goDown(page);
    expect(await listed(page)).toBeGreaterThanOrEqual(count);
  }).toPass({ intervals: [100], timeout: 120_000 });
  // The last rows may have come after it.
  await goDown(page);
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  return metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
}

test("of a grid of a thousand only the rows near the window are rendered, and the rest keeps its place", async ({
  open,
  postcard,
}) => {
  test.setTimeout(300_000);
  const writer = await addMember(postcard, { firstName: "Thousand", secondName: "Tiles" });
  for (let number = 1; number <= 1000; number += 1) {
    await post(postcard, writer, { caption: `Grid ${number} #thousandtiles` });
  }
  const page = await open(writer, { viewport: phone });
  await page.goto("/search?q=%23thousandtiles");
  await goDownTo(page, 99);
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  const [nodesOf100, heapOf100] = [await nodes(page), await heapOf(page)];
  await goDownTo(page, 1000);
  await expect.poll(() => tiles(page).count()).toBeLessThan(150);
  expect(await nodes(page)).toBeLessThan(1.5 * nodesOf100);
  expect(await heapOf(page)).toBeLessThan(1.5 * heapOf100);

  // The last row is where it would be with all of them.
  const whole = await height(page);
  await expect(tile(page, 1)).toBeInViewport();
  await expect(tile(page, 1)).toHaveAttribute("aria-posinset", "1000");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(tiles(page)).toHaveCount(1000);
  expect(Math.abs((await height(page)) - whole)).toBeLessThan(2);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect.poll(() => tiles(page).count()).toBeLessThan(150);

  // A jump shows what is there at once; the focus stays wherever one scrolls, and keys go on from it.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  await expect(tile(page, 1000)).toBeInViewport();
  const focused = tile(page, 1000).getByRole("link");
  await focused.focus();
  await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), whole / 2);
  await expect(tile(page, 997)).toHaveCount(0);
  await expect(focused).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(tile(page, 999).getByRole("link")).toBeFocused();

  // Back from a post in the middle.
  await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), whole / 2);
  await expect.poll(() => tile(page, 500).count()).toBe(1);
  await tile(page, 500).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await tile(page, 500).getByRole("link").click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  await expect(tile(page, 500)).toBeInViewport();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(50);
});
