import type { Locator, Page } from "@playwright/test";
import { holdBack } from "./support/acts.ts";
import { goDownTo, goTo, listed } from "./support/long-lists.ts";
import { addMember, follow, post, postSet, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectAnswered, phone, test } from "./support/stories.ts";

const words = "Words that are more than a card shows. ".repeat(30);
const arabic = "كلمات أكثر مما تعرضه البطاقة. ".repeat(12);
const postsOf = (page: Page) => page.getByRole("article");
const drawn = (page: Page) => page.locator("main article");
/** By its position in the list, the first is 0; only if it is drawn. */
const at = (page: Page, index: number) =>
  page.locator(`main article[aria-posinset="${index + 1}"]`);
const note = (page: Page, number: number) => postsOf(page).filter({ hasText: `Note ${number}.` });
const position = (page: Page) => page.evaluate(() => window.scrollY);
const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const topOf = (card: Locator) => card.evaluate((node) => node.getBoundingClientRect().top);

/** Notes 1 to `count`, the last one newest; every tenth is a photo, note 50 a set of three. */
async function notes(postcard: string, writer: Member, count: number): Promise<void> {
  const photo = await plainPhoto("#2d6a8f", 900, 700);
  for (let number = 1; number <= count; number += 1) {
    const caption = `Note ${number}. ${number % 7 === 0 ? words : ""}`;
    const photos = Array.from({ length: number === 50 ? 3 : number % 10 === 0 ? 1 : 0 }, () => ({
      photo,
      alt: "",
    }));
    await postSet(postcard, writer, { caption, photos });
  }
}

test("of a long feed only what is near is drawn, and nothing of the rest is lost", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Two", secondName: "Hundred" });
  const reader = await addMember(postcard, { firstName: "Long", secondName: "Way" });
  await follow(postcard, reader, writer);
  await notes(postcard, writer, 200);
  const page = await open(reader);
  await page.goto("/");
  await goDownTo(page, 70);
  await expect.poll(() => drawn(page).count()).toBeLessThan(40);
  const nodesOf70 = await nodes(page);
  await goDownTo(page, 200);
  await expect.poll(() => drawn(page).count()).toBeLessThan(40);
  // Cards differ: those here may have a few elements more than those there.
  expect(await nodes(page)).toBeLessThan(1.2 * nodesOf70);

  // Near the window, everything can be found, named and reached, even out of sight.
  await goTo(page, 100);
  const card = note(page, 100);
  await expect(card).toBeInViewport();
  for (const number of [95, 98, 102, 105]) await expect(note(page, number)).toHaveCount(1);
  await expect(note(page, 95)).toHaveAttribute("aria-posinset", "106");
  await expect(at(page, 0)).toHaveCount(0);
  expect(await listed(page)).toBe(200);

  // Changes to a card, and unfolded texts, are still there when it comes back.
  const like = card.getByRole("button", { name: "Like" });
  await like.click();
  await expectAnswered(page);
  await note(page, 98)
    .getByRole("link", { name: /^more of/ })
    .click();
  await goTo(page, 150);
  const set = note(page, 50);
  await set.scrollIntoViewIfNeeded();
  await set.getByRole("list", { name: "3 photos" }).evaluate((row) => {
    row.scrollTo({ left: row.clientWidth, behavior: "instant" });
  });
  await expect(set.getByRole("status")).toHaveText("Photo 2 of 3");
  await expect(at(page, 100)).toHaveCount(0);
  await goTo(page, 100);
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await expect(note(page, 98).getByRole("link", { name: /^more of/ })).toHaveCount(0);
  await expect(at(page, 150)).toHaveCount(0);
  await goTo(page, 150);
  await expect(set.getByRole("status")).toHaveText("Photo 2 of 3");

  // The focus stays, wherever one scrolls, and keys continue from it.
  await goTo(page, 100);
  await like.focus();
  await goTo(page, 150);
  await expect(at(page, 90)).toHaveCount(0);
  await expect(like).toBeFocused();
  await page.keyboard.press("j");
  await expect(note(page, 99)).toBeFocused();
  await expect(note(page, 99)).toBeInViewport();
  await page.keyboard.press("k");
  await expect(card).toBeFocused();

  // A print has everything that is loaded.
  const printed = (what: string) =>
    page.evaluate((event) => window.dispatchEvent(new Event(event)), what);
  await printed("beforeprint");
  await expect(drawn(page)).toHaveCount(200);
  await printed("afterprint");
  await expect.poll(() => drawn(page).count()).toBeLessThan(40);

  // To a post and back, and reloaded: the position is the same, and it is drawn.
  await goTo(page, 120);
  await expect(note(page, 80)).toBeInViewport();
  const before = await position(page);
  const stored = () => page.evaluate(() => sessionStorage.getItem("postcard-scroll"));
  await expect.poll(stored).toContain(`${Math.trunc(before)}`);
  await note(page, 80).getByRole("link", { name: "Open this post" }).click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  for (const comesBack of [async () => undefined, () => page.reload()]) {
    await comesBack();
    await expect.poll(() => listed(page)).toBe(200);
    await expect(note(page, 80)).toBeInViewport();
    await expect.poll(() => position(page)).toBeCloseTo(before, -1);
    await expect.poll(() => drawn(page).count()).toBeLessThan(40);
  }
});

test("a like updates the styles of what it changed, and not of the whole page", async ({
  browser,
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Few", secondName: "Changes" });
  await notes(postcard, writer, 12);
  const page = await open(writer);
  await page.goto("/profile?tab=texts");
  const like = note(page, 12).getByRole("button", { name: "Like" });
  await expect(like).toBeVisible();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  for (const pressed of ["true", "false"]) {
    await like.click();
    await expect(like).toHaveAttribute("aria-pressed", pressed);
    await expectAnswered(page);
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; args: { elementCount?: number } }[];
  };
  const dressed = traceEvents
    .filter(({ name }) => name === "UpdateLayoutTree")
    .map(({ args }) => args.elementCount ?? 0);
  expect(dressed.length).toBeGreaterThan(0);
  expect(Math.max(...dressed)).toBeLessThan(0.2 * (await nodes(page)));
});

for (const [where, anchors, said, dir] of [
  ["a browser that anchors scrolling by itself", true, words.slice(0, 400), "ltr"],
  ["a browser that does not", false, words.slice(0, 400), "ltr"],
  ["a page from right to left", true, arabic, "rtl"],
] as const) {
  test(`in ${where}, cards that come back with another height move nothing`, async ({
    open,
    postcard,
  }) => {
    const writer = await addMember(postcard, { firstName: "Narrow", secondName: "Wide" });
    const reader = await addMember(postcard, { firstName: "Turns", secondName: "Phone" });
    await follow(postcard, reader, writer);
    for (let number = 1; number <= 70; number += 1) {
      await post(postcard, writer, { caption: `Note ${number}. ${said}` });
    }
    const page = await open(reader, { viewport: phone });
    if (!anchors) {
      await page.addInitScript(() => {
        CSS.supports = () => false;
        document.addEventListener("DOMContentLoaded", () => {
          // If only the root is marked, Chromium goes on.
          document.documentElement.style.overflowAnchor = "none";
          document.body.style.overflowAnchor = "none";
        });
      });
    }
    await page.addInitScript((wanted) => {
      document.addEventListener("DOMContentLoaded", () => {
        document.documentElement.dir = wanted;
      });
    }, dir);
    await page.goto("/");
    await goDownTo(page, 70);
    await page.setViewportSize(desktop);
    await goTo(page, 60);
    const card = at(page, 60);
    // The scroll position is right, although it and the cards above it were drawn only then.
    await expect(note(page, 10)).toHaveCount(1);
    const margin = await card.evaluate((node) =>
      parseFloat(getComputedStyle(node).scrollMarginTop),
    );
    await expect.poll(async () => Math.abs((await topOf(card)) - margin)).toBeLessThan(3);
    for (let step = 0; step < 8; step += 1) {
      const moved = await page.evaluate(async () => {
        const seen = [...document.querySelectorAll("main article")].find(
          (node) => node.getBoundingClientRect().bottom > 0,
        );
        const top = seen?.getBoundingClientRect().top ?? NaN;
        window.scrollBy({ top: -600, behavior: "instant" });
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        return (seen?.getBoundingClientRect().top ?? NaN) - top;
      });
      expect(Math.abs(moved - 600)).toBeLessThan(3);
    }
    // The cards above had the phone's height, and now have the desktop's.
    await expect(note(page, 22)).toHaveCount(1);
  });
}

test("what happens to a post that is far away is there when it comes back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Second", secondName: "Thoughts" });
  const reader = await addMember(postcard, { firstName: "Far", secondName: "Below" });
  await follow(postcard, reader, writer);
  await notes(postcard, writer, 60);
  const page = await open(reader);
  const streams = page.waitForResponse(/\/api\/events/);
  await page.goto("/");
  await streams;
  await goDownTo(page, 60);
  await expect(at(page, 1)).toHaveCount(0);

  const url = `${postcard}/api/posts/${writer.username}`;
  const headers = {
    Origin: postcard,
    cookie: writer.cookie,
    "Content-Type": "application/json",
  };
  await fetch(`${url}/59/like`, { method: "PUT", headers });
  const read = page.waitForResponse(`**/api/posts/${writer.username}/59`);
  const body = JSON.stringify({ version: 0, caption: "Note 59. Edited.", pictures: [] });
  expect((await fetch(`${url}/59`, { method: "PATCH", headers, body })).status).toBe(200);
  await read;
  await expectAnswered(page);
  await goTo(page, 1);
  await expect(note(page, 59)).toContainText("Edited.");
  await expect(note(page, 59).getByText("1 like", { exact: true })).toBeAttached();
});

test("in a long feed from right to left Back and a reload find the position", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Right", secondName: "Left" });
  const reader = await addMember(postcard, { firstName: "Reads", secondName: "Leftwards" });
  await follow(postcard, reader, writer);
  for (let number = 1; number <= 60; number += 1) {
    await post(postcard, writer, { caption: `Note ${number}. ${number % 3 ? arabic : ""}` });
  }
  const page = await open(reader, { viewport: phone });
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.dir = "rtl";
    });
  });
  await page.goto("/");
  await goDownTo(page, 60);
  await goTo(page, 34);
  await expect(note(page, 25)).toBeInViewport();
  const [before, top] = [await position(page), await topOf(note(page, 25))];
  const stored = () => page.evaluate(() => sessionStorage.getItem("postcard-scroll"));
  await expect.poll(stored).toContain(`${Math.trunc(before)}`);
  // A mouse would scroll to it first.
  await note(page, 25)
    .getByRole("link", { name: /Today/ })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  for (const comesBack of [async () => undefined, () => page.reload()]) {
    await comesBack();
    await expect.poll(() => listed(page)).toBe(60);
    await expect(note(page, 25)).toBeInViewport();
    await expect.poll(() => topOf(note(page, 25))).toBeCloseTo(top, -1);
  }
  // Nothing overflows the page sideways.
  const beside = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(beside).toBeLessThanOrEqual(0);
});

test("a busy browser, which reports two events at once, does not stop the list", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Busy", secondName: "Phone" });
  const reader = await addMember(postcard, { firstName: "Reads", secondName: "On" });
  await follow(postcard, reader, writer);
  await notes(postcard, writer, 60);
  const page = await open(reader);
  // As if its event came only after the end of the list came near: both in one call.
  await page.addInitScript(() => {
    const Real = window.IntersectionObserver;
    window.IntersectionObserver = class extends Real {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super(([entry], observer) => {
          if (!entry?.isIntersecting) return;
          const before = Object.create(entry, { isIntersecting: { value: false } });
          callback([before as IntersectionObserverEntry, entry], observer);
        }, options);
      }
    };
  });
  await page.goto("/");
  await goDownTo(page, 60);
  await expect(page.getByText(/all caught up|That's everything/)).toBeVisible();
});

test("a page that was loading while the feed was read again leaves no gap in it", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Writes", secondName: "Much" });
  const reader = await addMember(postcard, { firstName: "Misses", secondName: "Nothing" });
  await follow(postcard, reader, writer);
  for (let number = 1; number <= 30; number += 1) {
    await post(postcard, writer, { caption: `Note ${number}.` });
  }
  const page = await open(reader);
  const { methods, release } = await holdBack(page, "**/api/feed?cursor=*");
  await page.goto("/");
  await postsOf(page).last().scrollIntoViewIfNeeded();
  await expect.poll(() => methods.length).toBe(1);
  for (let number = 31; number <= 60; number += 1) {
    await post(postcard, writer, { caption: `Note ${number}.` });
  }
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(note(page, 60)).toHaveCount(1);
  release();
  await expectAnswered(page);
  await goDownTo(page, 60);
  const numbers: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    await goTo(page, index);
    await expect(at(page, index)).toContainText("Note");
    const said = await at(page, index).innerText();
    numbers.push(Number(/Note (\d+)/.exec(said)?.[1]));
  }
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
});
