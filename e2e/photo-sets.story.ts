import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, postSet } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

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

test("who only looks at a page fetches the first photo of a set alone, the first act fetches the next", async ({
  open,
  postcard,
}) => {
  const { path } = await setOfThree(postcard);
  const page = await open(null, { viewport: phone, hasTouch: true, untouched: true });
  await page.goto(path);
  await expectDrawn(page.getByRole("img", { name: "Upright" }));
  await expect(page.locator("html[data-alive]")).toBeAttached();
  await page.waitForLoadState("networkidle");
  const fetched = () =>
    page
      .getByRole("list", { name: "3 photos" })
      .locator("img")
      .evaluateAll(
        (images: HTMLImageElement[]) =>
          images.filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length,
      );
  expect(await fetched()).toBe(1);
  await page.mouse.move(200, 400);
  await expect.poll(fetched).toBe(2);
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

const expectSize = (
  box: { width: number; height: number } | null,
  { width, height }: { width: number; height: number },
) => {
  expect(box?.width).toBeCloseTo(width, 0);
  expect(box?.height).toBeCloseTo(height, 0);
};

test("on a laptop a photo, what one can do with it and the caption's first line are seen together", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Upright", secondName: "Frames" });
  const reader = await addMember(postcard, { firstName: "Seen", secondName: "Together" });
  await follow(postcard, reader, writer);
  for (const [width, height, alt] of [
    [900, 1200, "Three to four"],
    [540, 960, "Nine to sixteen"],
  ] as const) {
    const tall = (pixels: number) => ({ width: (pixels * width) / height, height: pixels });
    const photo = await plainPhoto("#31708f", width, height);
    const path = await post(postcard, writer, { photo, alt, caption: "By the sea." });
    const feed = await open(reader, { viewport: laptop });
    await feed.goto("/");
    const card = feed.getByRole("article").filter({ has: feed.getByRole("img", { name: alt }) });
    // As tall as the window allows at its own ratio, in the middle of a mat as wide as every other.
    expectSize(await card.locator("[data-photo-frame]").boundingBox(), tall(800 - 220));
    expectSize(await card.locator(".photo-mat").boundingBox(), { width: 598, height: 580 + 24 });
    const page = await open(null, { viewport: laptop, expects: /Failed to load resource/ });
    // The frame has its size before a byte of the photo has loaded.
    await page.route("**/images/**", (route) => route.abort());
    await page.goto(path);
    const link = page.getByRole("link", { name: alt });
    await expect(link).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: /like/i }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("By the sea.")).toBeInViewport({ ratio: 1 });
    const frame = await link.locator("svg").first().boundingBox();
    // The mat hugs it.
    expectSize(frame, tall(800 - 68));
    const mat = await page.locator(".photo-mat").boundingBox();
    expectSize(mat, { width: frame!.width + 28, height: 800 - 40 });
    await page.unroute("**/images/**");
    await page.reload();
    await expectDrawn(page.getByRole("img", { name: alt }));
    expect(await link.locator("svg").first().boundingBox()).toEqual(frame);
    expect(await page.getByRole("img", { name: alt }).boundingBox()).toEqual(frame);
  }
});

const sizeOf = ([width, height]: readonly [number, number]) => ({ width, height });

test("no photo is cut: on a phone very tall and wide ones lie on the ground of a mat, on a desktop all of them", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Whole", secondName: "Photos" });
  const reader = await addMember(postcard, { firstName: "Mat", secondName: "Reader" });
  await follow(postcard, reader, writer);
  // The photo and its mat, CSS pixels.
  for (const { pixels, small, large } of [
    {
      pixels: [900, 1800],
      small: { photo: [243.75, 487.5], mat: [390, 487.5] },
      large: { photo: [340, 680], mat: [598, 704] },
    },
    {
      pixels: [1800, 600],
      small: { photo: [390, 130], mat: [390, 390 / 1.91] },
      large: { photo: [574, 574 / 3], mat: [598, 574 / 3 + 24] },
    },
    {
      pixels: [1200, 900],
      small: { photo: [390, 292.5], mat: [390, 292.5] },
      large: { photo: [574, 430.5], mat: [598, 454.5] },
    },
  ] as const) {
    const alt = pixels.join(" by ");
    const photo = await plainPhoto("#31708f", ...pixels);
    const path = await post(postcard, writer, { photo, alt });
    for (const [viewport, expected] of [
      [phone, small],
      [desktop, large],
    ] as const) {
      const page = await open(reader, { viewport, isMobile: viewport === phone });
      await page.goto("/");
      const card = page.getByRole("article").filter({ has: page.getByRole("img", { name: alt }) });
      const drawn = page.getByRole("img", { name: alt });
      await expectDrawn(drawn);
      expectSize(await drawn.boundingBox(), sizeOf(expected.photo));
      expectSize(await card.locator(".photo-mat").boundingBox(), sizeOf(expected.mat));
      // The ground is paper: no second copy of the photo is loaded.
      await expect(card.locator(".photo-mat img")).toHaveCount(1);
      if (pixels[0] !== 1200 || viewport === phone) continue;
      await page.goto(path);
      const box = (await page.getByRole("img", { name: alt }).boundingBox())!;
      expect(box.width).toBeGreaterThan(750);
      expect(box.width / box.height).toBeCloseTo(4 / 3, 2);
      // The sidebar makes room for it, and its links keep their names.
      const sidebar = page.getByRole("navigation", { name: "Main" });
      expect((await sidebar.boundingBox())?.width).toBe(72);
      await expect(sidebar.getByRole("link", { name: "Search" })).toBeVisible();
      await expect(sidebar.getByRole("button", { name: "Sign Out" })).toBeVisible();
    }
  }
});
