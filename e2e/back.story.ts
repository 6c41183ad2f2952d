import type { Page } from "@playwright/test";
import { like } from "./support/acts.ts";
import { goDownTo, goTo, listed } from "./support/long-lists.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, test } from "./support/stories.ts";

const back = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Back" });
const position = (page: Page) => page.evaluate(() => window.scrollY);

test("on a phone Back leads to the same place of a long list, from a post and a profile", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Long", secondName: "Feed" });
  const reader = await addMember(postcard, { firstName: "Goes", secondName: "Back" });
  await follow(postcard, reader, writer);
  for (let note = 1; note <= 45; note += 1) {
    await post(postcard, writer, { caption: `Note ${note}. #back${writer.id.slice(-6)}x` });
  }
  const page = await open(reader);
  await page.goto("/");
  await expect(back(page)).toHaveCount(0);
  await goDownTo(page, 45);
  // Far enough that everything above is folded.
  await goTo(page, 38);
  const far = page.getByRole("article").filter({ hasText: "Note 7." });
  await far.scrollIntoViewIfNeeded();
  const before = await position(page);
  expect(before).toBeGreaterThan(5000);
  await far.getByRole("link", { name: /Today/ }).click();
  await expect(page).toHaveURL(`/post/${writer.username}/7`);
  const box = await back(page).boundingBox();
  expect([box?.width, box?.height]).toEqual([44, 44]);

  // Further on, and back in the same steps.
  await page.locator("main").getByRole("link", { name: writer.name, exact: true }).click();
  await expect(page).toHaveURL(`/search/${writer.id}`);
  await page.getByRole("link", { name: /follower/ }).click();
  await expect(page).toHaveURL(`/profile/followers/${writer.id}`);
  await back(page).press("Enter");
  await expect(page).toHaveURL(`/search/${writer.id}`);
  await back(page).click();
  await expect(page).toHaveURL(`/post/${writer.username}/7`);
  await back(page).click();
  await expect(page).toHaveURL("/");
  await expect.poll(() => listed(page)).toBe(45);
  await expect.poll(() => position(page)).toBeCloseTo(before, -1);
  await expect(far).toBeInViewport();

  // The grid of a hashtag is longer than its first page, too.
  await page.goto(`/search?q=%23back${writer.id.slice(-6)}x`);
  const tiles = page.locator("section[aria-labelledby=tag] li");
  await tiles.last().scrollIntoViewIfNeeded();
  await expect(tiles).toHaveCount(45);
  await tiles.nth(42).scrollIntoViewIfNeeded();
  const inGrid = await position(page);
  await tiles.nth(42).click();
  await expect(page).toHaveURL(`/post/${writer.username}/3`);
  await back(page).click();
  await expect(tiles).toHaveCount(45);
  await expect.poll(() => position(page)).toBeCloseTo(inGrid, -1);

  const wide = await open(reader, { viewport: desktop });
  await wide.goto(`/search/${writer.id}`);
  await expect(back(wide)).toBeHidden();
});

test("Back never leaves Postcard: from a page that was opened elsewhere it leads home", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "From", secondName: "Elsewhere" });
  const path = await post(postcard, writer, { photo: await plainPhoto("#3a6b8c") });
  await like(postcard, writer, path);
  const opened = [
    path,
    `${path}/likes`,
    `/search/${writer.id}`,
    `/profile/following/${writer.id}`,
    "/search?q=%23nowhere",
  ];
  for (const who of [writer, null]) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open(who, { javaScriptEnabled, expects: /status of 404/ });
      for (const address of opened) {
        // One's own profile has its own address, which the bar below leads to.
        if (who && address.startsWith("/search/")) continue;
        await page.goto("about:blank");
        await page.goto(address);
        await expect(back(page)).toHaveAttribute("href", "/");
        await back(page).click();
        await expect(page, address).toHaveURL("/");
      }
      await expect(back(page)).toHaveCount(0);
      await expect(page.getByRole("banner").getByRole("link", { name: "Postcard" })).toBeVisible();
    }
  }
});

test("Back finds where one was when a page was loaded as a document, as before the scripts run", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Quick", secondName: "Thumb" });
  const reader = await addMember(postcard, { firstName: "Slow", secondName: "Scripts" });
  await follow(postcard, reader, writer);
  const path = await post(postcard, writer, { caption: "Opened at once." });
  const page = await open(reader);
  await page.goto("/saved");
  await page.goto(path);
  await back(page).click();
  await expect(page).toHaveURL("/saved");
});
