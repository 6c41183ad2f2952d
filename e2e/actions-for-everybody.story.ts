import type { Page } from "@playwright/test";
import { comment } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

/** In the light theme everything, in the dark one only the colours: the rest of the page is the same. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await axeFinds(page), `${what} in light`).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.dataset["theme"] = "synthwave";
  });
  expect(await axeFinds(page, ["color-contrast"]), `${what} in synthwave`).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.dataset["theme"] = "light";
  });
}

test("axe finds nothing where one likes, saves, comments and deletes, in either theme", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Asa", secondName: "Accessible" });
  const reader = await addMember(postcard, { firstName: "Rolf", secondName: "Reader" });
  const photo = await plainPhoto("#b0a090", 900, 700);
  const path = await post(postcard, writer, {
    caption: "With words. ".repeat(40),
    alt: "A wall",
    photo,
  });
  const words = await post(postcard, writer, { caption: "Words alone." });
  for (const body of ["One.", "Two.", "Three. ".repeat(100)]) {
    await comment(postcard, reader, path, body);
  }
  await follow(postcard, reader, writer);
  const page = await open(reader, { reducedMotion: "reduce" });
  await page.goto("/");
  for (const name of ["Like", "Save"]) {
    await page.getByRole("button", { name, exact: true }).first().click();
  }
  await expectAnswered(page);
  await expectAccessible(page, "the feed");
  await page.goto(path);
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.getByText("required*")).toBeVisible();
  await expectAccessible(page, "a post with an empty comment");
  await page
    .getByRole("button", { name: /^Delete the comment/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "the question before a comment is deleted");
  await page.goto("/saved?tab=texts");
  await expectAccessible(page, "Saved");
  const author = await open(writer, { reducedMotion: "reduce" });
  await author.goto(words);
  await expectAccessible(author, "one's own post");
  await author.goto(`${words}/delete`);
  await expectAccessible(author, "the page that asks before a post is deleted");
  const visitor = await open(null, { reducedMotion: "reduce" });
  await visitor.goto(path);
  await expectAccessible(visitor, "a post as a visitor sees it");
});

test("every control under a post is large enough for a finger", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Big", secondName: "Thumb" });
  const path = await post(postcard, writer, { caption: "Press." });
  await comment(postcard, writer, path, "A thought. ".repeat(60));
  const page = await open(writer);
  await page.goto(path);
  const main = page.locator("main");
  await expect(main.getByRole("button", { name: "more of this comment" })).toBeVisible();
  for (const control of [
    ...(await main.getByRole("button").all()),
    main.getByRole("link", { name: "1 comment" }),
    main.getByLabel("Leave a comment"),
  ]) {
    const { width = 0, height = 0 } = (await control.boundingBox()) ?? {};
    const what = (await control.getAttribute("aria-label")) ?? (await control.innerText());
    expect(height, what).toBeGreaterThanOrEqual(44);
    expect(width, what).toBeGreaterThanOrEqual(44);
  }
});

test("the heart pops, and stays still for those who prefer reduced motion", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Still", secondName: "Heart" });
  const path = await post(postcard, writer, { caption: "Pop." });
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const page = await open(writer, { reducedMotion });
    await page.goto(path);
    const heart = page.getByRole("button", { name: "Like", exact: true });
    const length = () =>
      heart
        .locator("svg")
        .evaluate((svg) => Number.parseFloat(getComputedStyle(svg).animationDuration) * 1000);
    expect(await length()).toBeLessThanOrEqual(1);
    await heart.click();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    const popped = await length();
    if (reducedMotion === "reduce") expect(popped).toBeLessThanOrEqual(1);
    else expect(popped).toBeGreaterThanOrEqual(120);
    await expectAnswered(page);
    await heart.click();
    await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
  }
});
