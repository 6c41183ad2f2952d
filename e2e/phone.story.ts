import type { Locator, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { befriend, chatPath, composer, log, say } from "./support/chats.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";
import { touch } from "./support/touch.ts";

/** Landscape: wide enough for the sidebar, and too narrow for it. */
const sideways = { width: 844, height: 390 };
const smallSideways = { width: 667, height: 375 };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const toast = (page: Page) =>
  page.getByRole("region", { name: "Messages" }).getByRole("listitem").first();
const bar = (page: Page) => page.getByRole("navigation", { name: "Main" });

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not there");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

async function expectApart(one: Locator, other: Locator): Promise<void> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  const meets = a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;
  expect(meets, "one covers the other").toBe(false);
}

/** Nothing covers its middle. */
async function expectPressable(element: Locator): Promise<void> {
  await element.click({ trial: true });
}

/** As an on-screen keyboard does: the page keeps its size, less of it is visible. */
async function raiseKeyboard(page: Page, { height, offsetTop }: Record<string, number>) {
  await page.evaluate(
    (seen) => {
      const { visualViewport } = window;
      if (!visualViewport) throw new Error("This browser tells nothing of keyboards");
      for (const [name, value] of Object.entries(seen)) {
        Object.defineProperty(visualViewport, name, { configurable: true, value });
      }
      visualViewport.dispatchEvent(new Event("resize"));
    },
    { height, offsetTop },
  );
}

test("on a phone Post is at the top of the composer, however far down one is", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Top", secondName: "Bar" });
  for (const theme of ["light", "synthwave"] as const) {
    const page = await open(writer, { viewport: phone, theme });
    await page.goto("/upload");
    const send = page.getByRole("main").getByRole("button", { name: "Post", exact: true });
    await expect(send).toHaveCount(1);
    await expect(page.locator("main button[type=submit]")).toHaveCount(1);
    await expect(page.getByRole("banner")).toHaveCount(0);
    await expect(bar(page)).toBeVisible();
    await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#3355aa", 300, 900));
    await page.getByLabel("Write a Caption").fill("Line.\n".repeat(40));
    for (const top of [0, 400, 4000]) {
      await page.evaluate((to) => window.scrollTo(0, to), top);
      const box = await boxOf(send);
      expect(box.y).toBeLessThan(12);
      expect(box.right).toBeGreaterThan(phone.width - 40);
      await expectPressable(send);
      await expectApart(send, page.getByRole("heading", { name: "New post" }));
    }
    // With a keyboard open the browser shows a lower part of the page: the bar moves along.
    await raiseKeyboard(page, { height: 420, offsetTop: 150 });
    expect((await boxOf(send)).y).toBeGreaterThanOrEqual(150);
    await raiseKeyboard(page, { height: phone.height, offsetTop: 0 });
    expect((await boxOf(send)).y).toBeLessThan(12);
    await expectNoSidewaysScroll(page);
    expect(await axeFinds(page)).toEqual([]);
  }
  const wide = await open(writer, { viewport: desktop });
  await wide.goto("/upload");
  await expect(button(wide, "Post")).toHaveCount(1);
  expect((await boxOf(button(wide, "Post"))).y).toBeGreaterThan(300);
  await expect(wide.getByRole("link", { name: "Close", exact: true })).toBeHidden();
});

test("what is wrong with a post comes into view below the bar, and Close leads back to where one was", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Wro", secondName: "Ng" });
  const page = await open(writer, { viewport: phone, expects: /status of 500/ });
  await page.goto("/saved");
  await bar(page).locator('a[href="/upload"]').click();
  await page.getByLabel("Write a Caption").fill("Line.\n".repeat(60));
  await page.route("**/api/posts", (route) => route.fulfill({ status: 500, body: "oops" }));
  await page.evaluate(() => window.scrollTo(0, 0));
  await button(page, "Post").click();
  await expect(page.getByText("Something went wrong on our side")).toBeInViewport({ ratio: 1 });
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await expect(page).toHaveURL("/saved");
});

test("the editor has Save and Cancel in the same bar", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Edi", secondName: "Tor" });
  const path = await post(postcard, writer, { caption: "Before." });
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(writer, { viewport: phone, javaScriptEnabled });
    await page.goto(`${path}/edit`);
    await expect(page.getByRole("banner")).toHaveCount(0);
    await expect(button(page, "Save")).toHaveCount(1);
    expect((await boxOf(button(page, "Save"))).y).toBeLessThan(12);
    await page.getByRole("link", { name: "Cancel", exact: true }).click();
    await expect(page).toHaveURL(path);
    await page.goto(`${path}/edit`);
    await page.getByLabel("Caption").fill(`After, ${javaScriptEnabled}.`);
    await button(page, "Save").click();
    await expect(page).toHaveURL(path);
    await expect(page.getByText(`After, ${javaScriptEnabled}.`)).toBeVisible();
  }
});

test("a conversation on a phone has one header, no bar, and its field at the bottom, above a keyboard too", async ({
  open,
  postcard,
}) => {
  const [one, other] = [
    await addMember(postcard, { firstName: "Thea", secondName: "Thread" }),
    await addMember(postcard, { firstName: "Theo", secondName: "Other" }),
  ];
  await befriend(postcard, one, other);
  for (let at = 1; at <= 25; at += 1) await say(postcard, one, other, { body: `Word ${at}.` });
  const page = await open(one, { viewport: phone });
  await page.goto("/chat");
  await expect(bar(page).getByRole("link")).toHaveCount(4);
  await expect(page.getByRole("banner")).toBeVisible();

  await page.goto(chatPath(one, other));
  await expect(page.getByRole("heading", { name: other.name })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Postcard", exact: true })).toHaveCount(0);
  await expect(page.locator("header:visible")).toHaveCount(1);
  const back = page.getByRole("link", { name: "All chats" });
  expect((await boxOf(back)).y).toBeLessThan(12);
  const form = page.locator("form", { has: composer(page) });
  expect((await boxOf(form)).bottom).toBeCloseTo(phone.height, 0);
  await expect(log(page).getByText("Word 25.")).toBeInViewport();

  const keyboard = { height: 420, offsetTop: 100 };
  await raiseKeyboard(page, keyboard);
  expect((await boxOf(back)).y).toBeGreaterThanOrEqual(100);
  expect((await boxOf(form)).bottom).toBeCloseTo(520, 0);
  await expectApart(log(page).getByText("Word 25."), form);
  await raiseKeyboard(page, { height: phone.height, offsetTop: 0 });

  // The device's home bar is below the field, not on it.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setSafeAreaInsetsOverride", { insets: { bottom: 34 } });
  await expect
    .poll(async () => (await boxOf(button(page, "Send"))).bottom)
    .toBeLessThanOrEqual(phone.height - 34);
  await back.click();
  await expect(bar(page).getByRole("link")).toHaveCount(4);
  await expectNoSidewaysScroll(page);
});

test("toasts appear above the bar of a phone, beside the sidebar of a desktop, and never over a text field", async ({
  open,
  postcard,
}) => {
  const [one, other] = [
    await addMember(postcard, { firstName: "Tess", secondName: "Toast" }),
    await addMember(postcard, { firstName: "Tom", secondName: "Bread" }),
  ];
  await befriend(postcard, one, other);
  await say(postcard, other, one, { body: "Hello." });
  const path = await post(postcard, other, { caption: "Like me." });
  for (const viewport of [phone, sideways, desktop]) {
    const page = await open(one, { viewport, expects: /status of 500/ });
    await page.route(/\/(like|mute)$/, (route) => route.fulfill({ status: 500, body: "oops" }));
    await page.goto("/");
    await button(page, "Like").first().click();
    await expect(toast(page)).toContainText("Couldn't like this post.");
    await expect(page.getByRole("region", { name: "Messages" })).toHaveAttribute(
      "aria-live",
      "polite",
    );
    await expectApart(toast(page), bar(page));
    await expectApart(toast(page), page.getByRole("banner"));
    expect((await boxOf(toast(page))).y).toBeGreaterThan(viewport.height / 2);

    await page.goto(path);
    await button(page, "Like").first().click();
    await expect(toast(page)).toBeVisible();
    await expectApart(toast(page), page.getByLabel("Leave a comment"));
    await expectApart(toast(page), bar(page));

    await page.goto(chatPath(one, other));
    await page.getByRole("button", { name: "Options for this chat" }).click();
    await button(page, "Mute this chat").click();
    await expect(toast(page)).toContainText("Nothing changed for this chat.");
    await expectApart(toast(page), page.locator("form", { has: composer(page) }));
    await expectApart(toast(page), page.locator("header", { hasText: other.name }));
    if (viewport !== phone) await expectApart(toast(page), bar(page));
  }
});

const pullDown = (page: Page, by: number) =>
  touch(page, [{ from: { x: 195, y: 200 }, to: { x: 195, y: 200 + by } }]);

test("a pull at the top of the feed shows new posts, one request at a time, and says when it failed", async ({
  open,
  postcard,
}) => {
  const [writer, reader] = [
    await addMember(postcard, { firstName: "Pul", secondName: "Ley" }),
    await addMember(postcard, { firstName: "Rea", secondName: "Der" }),
  ];
  for (let at = 1; at <= 4; at += 1) await post(postcard, writer, { caption: `Old ${at}.` });
  await follow(postcard, reader, writer);
  const page = await open(reader, {
    viewport: phone,
    hasTouch: true,
    expects: /status of 503|ERR_FAILED/,
  });
  await page.route("**/api/events?**", (route) => route.fulfill({ status: 503, body: "" }));
  let asked = 0;
  let away = false;
  const held: (() => void)[] = [];
  await page.route("**/api/feed/newer**", async (route) => {
    asked += 1;
    if (away) return route.abort();
    await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await page.goto("/");
  const posts = page.getByRole("article");
  await expect(page.locator("[data-pull]")).toBeAttached();
  await page.evaluate(() => {
    document.body.dataset["before"] = "pull";
  });
  const first = await boxOf(posts.first());
  await post(postcard, writer, { caption: "New one." });

  // Not far enough, and to the side.
  await pullDown(page, 60);
  await touch(page, [{ from: { x: 60, y: 300 }, to: { x: 330, y: 380 } }]);
  expect(asked).toBe(0);

  await pullDown(page, 260);
  await expect(page.getByText("Loading new posts")).toBeAttached();
  await expect.poll(() => held.length).toBe(1);
  expect((await boxOf(posts.first())).y).toBe(first.y);
  await pullDown(page, 260);
  held[0]?.();
  await expect(posts.first()).toContainText("New one.");
  await expect(page.getByText("Loading new posts")).toHaveCount(0);
  expect(asked).toBe(1);
  expect((await boxOf(posts.first())).y).toBe(first.y);
  // The page is still the same document.
  await expect(page.locator("body[data-before]")).toHaveCount(1);

  away = true;
  await pullDown(page, 260);
  await expect(toast(page)).toContainText("Your feed didn't refresh.");
  await expect(posts.first()).toContainText("New one.");
  expect(asked).toBe(2);

  // With reduced motion it does not move, and is only shown.
  const sign = page.locator("[data-pull] output");
  const drawn = () => sign.evaluate((output) => ({ ...getComputedStyle(output) }));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await expect(sign).toBeAttached();
  const devtools = await page.context().newCDPSession(page);
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: y === undefined ? [] : [{ x: 195, y }],
    });
  await finger("touchStart", 200);
  for (const y of [220, 250, 270]) await finger("touchMove", y);
  await expect.poll(async () => Number((await drawn()).opacity)).toBeGreaterThan(0.2);
  expect((await drawn()).translate).toBe("none");
  await finger("touchEnd");
  await expect.poll(async () => (await drawn()).opacity).toBe("0");
  expect(asked).toBe(2);

  // Further down it is a scroll.
  await page.evaluate(() => window.scrollTo(0, 500));
  await pullDown(page, 260);
  expect(asked).toBe(2);
});

test("in landscape every link of the sidebar is in the window, and Post in the composer", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Side", secondName: "Ways" });
  for (const theme of ["light", "synthwave"] as const) {
    const page = await open(member, { viewport: sideways, theme });
    await page.goto("/");
    for (const name of ["Home", "Search", "Saved", "Profile", "Settings", "Post"]) {
      const way = bar(page).getByRole("link", { name, exact: true });
      await expect(way).toBeInViewport({ ratio: 1 });
      expect((await boxOf(way)).height).toBeGreaterThanOrEqual(44);
      await expectPressable(way);
    }
    await expect(bar(page).getByRole("button", { name: "Sign Out" })).toBeInViewport({ ratio: 1 });
    await page.goto("/upload");
    const send = page.getByRole("main").getByRole("button", { name: "Post", exact: true });
    await expect(send).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);

    await page.setViewportSize(smallSideways);
    await expect(send).toBeInViewport({ ratio: 1 });
    await page.goto("/");
    await expect(bar(page).getByRole("link")).toHaveCount(4);
    await button(page, "Your menu").click();
    await expect(page.getByRole("button", { name: "Sign Out" })).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
  }
});
