import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, postSet } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { expect, test } from "./support/stories.ts";

const laptop = { width: 1280, height: 800 };

/** A member with a post of three photos: upright, wide, very tall. */
async function setOfThree(postcard: string) {
  const writer = await addMember(postcard, { firstName: "Three", secondName: "Views" });
  const photos = [
    { photo: await plainPhoto("#7a2e2e", 900, 1200), alt: "Upright" },
    { photo: await plainPhoto("#2e7a3a", 1200, 400), alt: "Wide" },
    { photo: await plainPhoto("#2e3a7a", 450, 1200), alt: "Tall" },
  ];
  const path = await postSet(postcard, writer, { photos, caption: "Three of one place." });
  return { path };
}

const slide = (page: Page, name: string) =>
  page
    .getByRole("list", { name: "3 photos" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("img", { name }) });

/** The number on the visible photo; the others are out of sight. */
const expectShown = async (page: Page, name: string, counter: string) => {
  await expect(slide(page, name).getByText(counter, { exact: true })).toBeInViewport({
    ratio: 0.9,
  });
  await expect(slide(page, name).getByRole("link")).toBeInViewport({ ratio: 0.9 });
};

test("several photos stand in one frame, which arrows and keys take further, and nothing moves", async ({
  open,
  postcard,
}) => {
  const { path } = await setOfThree(postcard);
  const page = await open(null, { viewport: laptop });
  await page.goto(path);
  const row = page.getByRole("list", { name: "3 photos" });
  await expectShown(page, "Upright", "1/3");
  const frame = await row.boundingBox();
  const next = page.getByRole("button", { name: "Next photo" });
  const previous = page.getByRole("button", { name: "Previous photo" });
  await expect(previous).toHaveAttribute("aria-disabled", "true");
  await row.hover();
  await next.click();
  await expectShown(page, "Wide", "2/3");
  await expect(page.getByRole("status").filter({ hasText: "Photo 2 of 3" })).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expectShown(page, "Tall", "3/3");
  await expect(next).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("ArrowLeft");
  await expectShown(page, "Wide", "2/3");
  // Fitted into the frame of the first, whose position and size stay.
  await expectDrawn(page.getByRole("img", { name: "Wide" }));
  expect(await row.boundingBox()).toEqual(frame);
  expect(await axeFinds(page)).toEqual([]);

  await page.getByRole("link", { name: "Wide" }).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName("Photo 2 of 3");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Wide" })).toBeFocused();
});

test("the neighbour of a photo is loaded before it is seen, the one after it is not", async ({
  open,
  postcard,
}) => {
  const { path } = await setOfThree(postcard);
  const page = await open(null, { viewport: laptop });
  await page.goto(path);
  const drawn = (name: string) =>
    page
      .getByRole("img", { name, includeHidden: true })
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
  await expect.poll(() => drawn("Wide")).toBe(true);
  await expect(page.getByRole("img", { name: "Wide" })).toHaveAttribute("loading", "eager");
  await expect(page.getByRole("img", { name: "Tall" })).toHaveAttribute("loading", "lazy");
});

test("without scripts the row scrolls from photo to photo", async ({ open, postcard }) => {
  const { path } = await setOfThree(postcard);
  const page = await open(null, { javaScriptEnabled: false });
  await page.goto(path);
  const row = page.getByRole("list", { name: "3 photos" });
  await expectShown(page, "Upright", "1/3");
  await expect(page.getByRole("button", { name: "Next photo" })).toHaveCount(0);
  await row.hover();
  // Less than a photo's width: the row snaps to the next one by itself.
  await page.mouse.wheel(250, 0);
  await expectShown(page, "Wide", "2/3");
});

test("on a laptop a photo, what one can do with it and the caption's first line are seen together", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Upright", secondName: "Frames" });
  const reader = await addMember(postcard, { firstName: "Seen", secondName: "Together" });
  await follow(postcard, reader, writer);
  for (const [width, height, alt, own] of [
    [900, 1200, "Three to four", { width: 546, height: 728 }],
    // No wider than it is.
    [540, 960, "Nine to sixteen", { width: 540, height: 720 }],
  ] as const) {
    const photo = await plainPhoto("#31708f", width, height);
    const path = await post(postcard, writer, { photo, alt, caption: "By the sea." });
    const feed = await open(reader, { viewport: laptop });
    await feed.goto("/");
    const card = feed.getByRole("article").filter({ has: feed.getByRole("img", { name: alt }) });
    const inFeed = await card.locator("[data-photo-frame]").boundingBox();
    expect(inFeed?.height).toBeCloseTo(568, 0);
    expect(inFeed?.width).toBeCloseTo(426, 0);
    const page = await open(null, { viewport: laptop, expects: /Failed to load resource/ });
    // The frame has its size before a byte of the photo has loaded.
    await page.route("**/images/**", (route) => route.abort());
    await page.goto(path);
    const link = page.getByRole("link", { name: alt });
    await expect(link).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: /like/i }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("By the sea.")).toBeInViewport({ ratio: 1 });
    const frame = await link.locator("svg").first().boundingBox();
    // No bars: the frame is as narrow as the photo, at three to four.
    expect(frame?.height).toBeCloseTo(own.height, 0);
    expect(frame?.width).toBeCloseTo(own.width, 0);
    await page.unroute("**/images/**");
    await page.reload();
    await expectDrawn(page.getByRole("img", { name: alt }));
    expect(await link.locator("svg").first().boundingBox()).toEqual(frame);
    expect(await page.getByRole("img", { name: alt }).boundingBox()).toEqual(frame);
  }
});
