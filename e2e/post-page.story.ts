import type { Locator, Page } from "@playwright/test";
import { send } from "./support/audiences.ts";
import { axeFinds } from "./support/axe.ts";
import { shiftsOf } from "./support/layout-shift.ts";
import { follow, post, postSet, signUp, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { expect, phone, test } from "./support/stories.ts";
import { touch } from "./support/touch.ts";

const laptop = { width: 1280, height: 800 };

async function comment(url: string, { cookie }: Member, path: string, body: string): Promise<void> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { Origin: url, cookie },
    body: new URLSearchParams({ intent: "comment", body, clientKey: crypto.randomUUID() }),
    redirect: "manual",
  });
  expect(answer.status).toBeLessThan(400);
}

async function threePhotos(url: string, writer: Member): Promise<string> {
  return postSet(url, writer, {
    caption: "Three walls.",
    photos: [
      { photo: await plainPhoto("#7a2e2e", 900, 1200), alt: "Red" },
      { photo: await plainPhoto("#2e7a3a", 900, 1200), alt: "Green" },
      { photo: await plainPhoto("#2e3a7a", 900, 1200), alt: "Blue" },
    ],
  });
}

/** The browser's position in its history. */
const historyOf = (page: Page) =>
  page.evaluate(() => ({ length: window.history.length, state: window.history.state as unknown }));

test("on a desktop the photo stays at the left while one reads, and the comment form is at the bottom", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Desk", secondName: "Lamp" });
  const photo = await plainPhoto("#31708f", 1500, 2000);
  const path = await post(postcard, writer, { photo, alt: "A blue wall", caption: "By the sea." });
  for (let line = 1; line <= 12; line++) await comment(postcard, writer, path, `Line ${line}`);
  const page = await open(writer, { viewport: laptop });
  // The letters are stored by then: those that come later than the page change the widths of words.
  await page.goto("/settings");
  await page.evaluate(() => document.fonts.ready);
  await page.goto(path);
  const link = page.getByRole("link", { name: "A blue wall" });
  await expectDrawn(link.getByRole("img"));
  const field = page.getByRole("textbox", { name: "Leave a comment" });
  await expect(link).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("By the sea.")).toBeInViewport({ ratio: 1 });
  await expect(field).toBeInViewport({ ratio: 1 });
  const [frame, caption] = [
    await link.boundingBox(),
    await page.getByText("By the sea.").boundingBox(),
  ];
  // As tall as the window allows, beside a column of 360 pixels.
  expect(frame!.height).toBeGreaterThan(650);
  expect(frame!.width / frame!.height).toBeCloseTo(3 / 4, 2);
  expect(caption!.x).toBeGreaterThan(frame!.x + frame!.width);
  const shell = await page.evaluate(() => document.body.clientWidth);
  const column = await page.getByRole("region", { name: "12 comments" }).boundingBox();
  expect([column!.width, column!.x + column!.width]).toEqual([360, shell]);
  await expect(page.getByRole("complementary", { name: "About" })).toBeHidden();

  await page.getByText("Line 12", { exact: true }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5000);
  await expect(page.getByText("Line 12", { exact: true })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
  await expect(link).toBeInViewport({ ratio: 1 });
  await expect(field).toBeInViewport({ ratio: 1 });
  expect(await shiftsOf(page)).toBe(0);
  expect(await axeFinds(page)).toEqual([]);
});

const colour = (shown: Element) => getComputedStyle(shown).backgroundColor;

test("on one's own page on a desktop the mark of an audience stands beside the time, and the column ends with the window", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Only", secondName: "Some" });
  const photo = await plainPhoto("#31708f", 1200, 900);
  const path = await post(postcard, writer, { photo, alt: "A blue wall" });
  const audience = { version: 0, audience: "close-friends" };
  await send(postcard, writer, "PATCH", path.replace("/post/", "/api/posts/"), audience);
  for (const from of [path, await post(postcard, writer, { caption: "Tea, mostly." })]) {
    if (from !== path)
      await send(postcard, writer, "PATCH", from.replace("/post/", "/api/posts/"), audience);
    const page = await open(writer, { viewport: laptop });
    await page.goto(from);
    await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeVisible();
    const [time, mark] = [
      (await page.locator(".desk-by time").boundingBox())!,
      (await page.locator(".desk-by").getByTitle("For close friends").boundingBox())!,
    ];
    expect(mark.x).toBeGreaterThan(time.x + time.width);
    expect(Math.abs(mark.y + mark.height / 2 - time.y - time.height / 2)).toBeLessThan(4);
    // The scrollbar's empty space has the colour of the column beside it.
    expect(await page.locator("html").evaluate(colour)).toBe(
      await page.locator(".comment-foot").evaluate(colour),
    );
  }
});

test("without scripts the desktop layout works as well, and on a phone the form is above the bar", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Desk", secondName: "Plain" });
  const words = await post(postcard, writer, { caption: "Tea, mostly." });
  const page = await open(writer, { viewport: laptop, javaScriptEnabled: false });
  await page.goto(words);
  const field = page.getByRole("textbox", { name: "Leave a comment" });
  const [left, right] = [
    await page.getByText("Tea, mostly.").boundingBox(),
    await field.boundingBox(),
  ];
  expect(right!.x).toBeGreaterThan(left!.x + left!.width);
  expect(right!.y).toBeGreaterThan(700);

  const small = await open(writer, { viewport: phone });
  const bar = small.getByRole("navigation").last();
  const photo = await plainPhoto("#31708f", 900, 1800);
  for (const path of [words, await post(postcard, writer, { photo, alt: "Tall" })]) {
    await small.goto(path);
    await expect(small.getByRole("textbox", { name: "Leave a comment" })).toBeInViewport();
    const [form, under] = [
      await small.locator(".comment-foot").boundingBox(),
      await bar.boundingBox(),
    ];
    expect(Math.abs(form!.y + form!.height - under!.y)).toBeLessThanOrEqual(1);
  }
});

test("Back closes a photo that is open large and stays on the page; Close leaves nothing in the history", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Back", secondName: "Wards" });
  const path = await threePhotos(postcard, writer);
  const page = await open(writer, { viewport: laptop });
  await page.goto("/profile");
  await page.goto(path);
  const read: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data")) read.push(request.url());
  });
  const before = await historyOf(page);
  const dialog = page.getByRole("dialog");
  const link = page.getByRole("link", { name: "Red" });
  await link.click();
  await expect(dialog).toHaveAccessibleName("Photo 1 of 3");
  await page.keyboard.press("ArrowRight");
  await expect(dialog).toHaveAccessibleName("Photo 2 of 3");
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(path);
  // The page is at the photo that was open.
  await expect(page.getByRole("link", { name: "Green" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Green" })).toBeInViewport({ ratio: 0.9 });
  // There is nothing in front any more.
  await page.goForward();
  await expect.poll(() => historyOf(page)).toEqual({ ...before, length: before.length + 1 });
  await expect(dialog).toHaveCount(0);

  for (const close of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    await page.getByRole("link", { name: "Green" }).click();
    await expect(dialog).toHaveAccessibleName("Photo 2 of 3");
    await close();
    await expect(dialog).toHaveCount(0);
    expect((await historyOf(page)).state).toEqual(before.state);
  }
  // The router did not load the page again.
  expect(read).toEqual([]);

  await page.getByRole("link", { name: "Green" }).click();
  await expect(dialog).toHaveCount(1);
  await page.reload();
  await expect.poll(async () => (await historyOf(page)).state).not.toHaveProperty("over");
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL("/profile");
});

test("a photo that is open large shows caption and alt text, and its like is that of the page", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Large", secondName: "Likes" });
  const reader = await signUp(postcard, { firstName: "Look", secondName: "Closer" });
  await follow(postcard, reader, writer);
  const path = await threePhotos(postcard, writer);
  for (const [viewport, from] of [
    [laptop, path],
    [phone, "/"],
  ] as const) {
    const page = await open(reader, { viewport });
    await page.goto(from);
    const heart = page.getByRole("article").getByRole("button", { name: "Like", exact: true });
    const liked = (await heart.getAttribute("aria-pressed")) === "true";
    await page.getByRole("link", { name: "Red" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Three walls.")).toBeInViewport();
    await expect(dialog.getByText("Red", { exact: true })).toBeInViewport();
    const large = dialog.getByRole("button", { name: "Like", exact: true });
    await expect(large).toHaveAttribute("aria-pressed", String(liked));
    await large.click();
    await expect(dialog.getByText(liked ? "0 likes" : "1 like")).toHaveCount(1);
    expect(await axeFinds(page)).toEqual([]);
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(heart).toHaveAttribute("aria-pressed", String(!liked));
    await expect(page.getByRole("article").getByText(liked ? "0 likes" : "1 like")).toHaveCount(1);
  }
});

test("looking closely brings all of the original's pixels, and never more", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Close", secondName: "Look" });
  const photo = await plainPhoto("#31708f", 4000, 2600);
  const path = await post(postcard, writer, { photo, alt: "A blue wall" });
  const page = await open(null, { viewport: laptop });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/large.webp")) asked.push(request.url());
  });
  await page.goto(path);
  await page.getByRole("link", { name: "A blue wall" }).click();
  const enlarged = page.getByRole("dialog").getByRole("img", { name: "A blue wall" });
  await expect(enlarged).toHaveAttribute("src", /\/1920\.webp$/);
  expect(asked).toEqual([]);
  await page.mouse.move(640, 300);
  // The window responds once the photo has finished growing.
  await expect(async () => {
    await page.mouse.wheel(0, -3000);
    await expect(enlarged).toHaveAttribute("src", /\/large\.webp$/, { timeout: 2000 });
  }).toPass();
  await expectDrawn(enlarged);
  // One image pixel for each pixel of the window.
  await expect.poll(async () => Math.round((await enlarged.boundingBox())?.width ?? 0)).toBe(4000);
  expect(await enlarged.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(4000);
  expect(asked).toHaveLength(1);
});

/** Which photo of a row is in front, once it has stopped there. */
const restsAt = (row: Locator) =>
  row.evaluate(async (list) => {
    for (let before = Number.NaN; ; before = list.scrollLeft) {
      for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
      const index = Math.round(list.scrollLeft / list.clientWidth);
      const over = Math.abs(list.scrollLeft - index * list.clientWidth);
      if (list.scrollLeft === before && over < 1) return index;
    }
  });

test("a finger takes the photos of a set further in the feed, and the history stays as it is", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Swipe", secondName: "Along" });
  const reader = await signUp(postcard, { firstName: "Swiping", secondName: "Reader" });
  await follow(postcard, reader, writer);
  const path = await threePhotos(postcard, writer);
  const page = await open(reader, { hasTouch: true, isMobile: true });
  await page.goto("/");
  const before = await historyOf(page);
  const row = page.getByRole("list", { name: "3 photos" });
  const inSight = (name: string, timeout?: number) =>
    expect(page.getByRole("link", { name })).toBeInViewport({ ratio: 0.99, timeout });
  // Two thirds of the row: far enough for a finger that rests at the end, and not beyond the next photo for
  // one that is still moving. Content above the row may load late, and move it.
  const swipe = async (by: number) => {
    const box = (await row.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const reach = (by * box.width) / 3;
    await touch(page, [{ from: { x: x + reach, y }, to: { x: x - reach, y } }]);
  };
  // A busy machine reports a finger late to the browser, and the row may snap back, as on a phone: the finger
  // tries again, from the row's new position.
  const swipeTo = (name: string, wanted: number) =>
    expect(async () => {
      const at = await restsAt(row);
      if (at !== wanted) {
        await swipe(Math.sign(wanted - at));
        expect(await restsAt(row)).toBe(wanted);
      }
      await inSight(name, 3000);
    }).toPass();
  await inSight("Red");
  await expect(page.getByRole("status").filter({ hasText: "Photo 1 of 3" })).toHaveCount(1);
  await swipeTo("Green", 1);
  await swipeTo("Blue", 2);
  await swipeTo("Green", 1);
  expect(await historyOf(page)).toEqual(before);

  // Shared as it is shown.
  const context = page.context();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => {
    Object.defineProperty(navigator, "share", { configurable: true, value: undefined });
  });
  await expect(page.getByRole("status").filter({ hasText: "Photo 2 of 3" })).toHaveCount(1);
  await page.getByRole("article").getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${postcard}${path}#2`);
});

test("an address with #2 opens a set at its second photo, without scripts too", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Number", secondName: "Two" });
  const path = await threePhotos(postcard, writer);
  for (const viewport of [phone, laptop]) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open(null, { viewport, javaScriptEnabled });
      await page.goto(`${path}#2`);
      await expect(page.getByRole("link", { name: "Green" })).toBeInViewport({ ratio: 0.9 });
      await expect(page.getByText("2/3")).toBeInViewport();
      // Its author is still visible.
      await expect(page.getByRole("link", { name: "Number Two", exact: true })).toBeInViewport({
        ratio: 1,
      });
      if (javaScriptEnabled) {
        await expect(page.getByRole("status").filter({ hasText: "Photo 2 of 3" })).toHaveCount(1);
      }
    }
  }
});

test("ALT shows what the author wrote about a photo, by keys, by touch and without scripts", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Chip", secondName: "Writer" });
  const reader = await signUp(postcard, { firstName: "Chip", secondName: "Reader" });
  await follow(postcard, reader, writer);
  const photo = await plainPhoto("#31708f", 900, 1200);
  const alt = "A wall painted blue, with a crack that looks like a river";
  const path = await post(postcard, writer, { photo, alt });
  await post(postcard, writer, { photo });
  const page = await open(writer, { viewport: laptop });
  await page.goto(path);
  const chip = page.getByRole("button", { name: "Alt text" });
  const text = page.getByText(alt);
  await expect(text).toBeHidden();
  await chip.focus();
  await page.keyboard.press("Enter");
  await expect(text).toBeInViewport({ ratio: 1 });
  // Next to the chip, not somewhere else.
  const [words, at] = [(await text.boundingBox())!, (await chip.boundingBox())!];
  expect(Math.abs(words.y + words.height - at.y)).toBeLessThan(30);
  expect(await axeFinds(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(text).toBeHidden();
  await expect(chip).toBeFocused();
  await expect(page).toHaveURL(path);

  const finger = await open(reader, { hasTouch: true, isMobile: true, javaScriptEnabled: false });
  await finger.goto("/");
  // Only if there is alt text to show, and on no grid.
  const card = finger.getByRole("article").filter({ hasText: writer.name });
  await expect(card).toHaveCount(2);
  await expect(card.getByRole("button", { name: "Alt text" })).toHaveCount(1);
  await card.getByRole("button", { name: "Alt text" }).tap();
  await expect(finger.getByText(alt)).toBeInViewport({ ratio: 1 });
  await finger.touchscreen.tap(200, 30);
  await expect(finger.getByText(alt)).toBeHidden();
  await finger.goto(`/search/${writer.id}`);
  await expect(finger.getByRole("img", { name: alt })).toHaveCount(1);
  await expect(finger.getByRole("button", { name: "Alt text" })).toHaveCount(0);
});

test("a small photo is shown in its own pixels", async ({ open, postcard }) => {
  const writer = await signUp(postcard, { firstName: "Small", secondName: "Print" });
  for (const [width, height, alt] of [
    [200, 150, "Tiny"],
    [500, 400, "Little"],
  ] as const) {
    const photo = await plainPhoto("#31708f", width, height);
    const path = await post(postcard, writer, { photo, alt });
    for (const viewport of [phone, laptop]) {
      const page = await open(null, { viewport });
      await page.goto(path);
      const shown = page.getByRole("img", { name: alt });
      await expectDrawn(shown);
      const box = (await shown.boundingBox())!;
      expect(box.width).toBeLessThanOrEqual(width + 0.5);
      expect(box.width / box.height).toBeCloseTo(width / height, 1);
    }
  }
});
