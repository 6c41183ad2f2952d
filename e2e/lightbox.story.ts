import { AxeBuilder } from "@axe-core/playwright";
import type { Locator } from "@playwright/test";
import { addMember, post, postSet } from "./support/members.ts";
import { plainPhoto, type Photo } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { desktop, expect, test } from "./support/stories.ts";
import { touch } from "./support/touch.ts";

/** How much larger than fitted a photo is shown. */
const zoomOf = (photo: Locator) =>
  photo.evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a);

test("a photo opens as large as the window, zooms by wheel, double click and keys, and Escape gives the focus back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Large", secondName: "Format" });
  const photo = await plainPhoto("#31708f", 4000, 2800);
  const path = await post(postcard, writer, { photo, alt: "A blue wall", caption: "Look." });
  const page = await open(null, { viewport: desktop });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto(path);
  const link = page.getByRole("link", { name: "A blue wall" });
  await link.focus();
  expect(loaded.filter((url) => url.includes("lightbox"))).toEqual([]);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Photo" });
  const enlarged = dialog.getByRole("img", { name: "A blue wall" });
  await expectDrawn(enlarged);
  expect(loaded.filter((url) => url.includes("lightbox"))).toHaveLength(1);
  // The largest variant, fitted into the window.
  await expect(enlarged).toHaveAttribute("src", /\/1920\.webp$/);
  // As large as the window, less the part below it.
  const box = await enlarged.boundingBox();
  expect(box!.height).toBeGreaterThan(desktop.height - 150);
  expect(box!.width / box!.height).toBeCloseTo(4000 / 2800, 2);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .include("dialog")
    .analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  await page.mouse.move(900, 300);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => zoomOf(enlarged)).toBeGreaterThan(2);
  await page.keyboard.press("0");
  await expect.poll(() => zoomOf(enlarged)).toBe(1);
  await page.keyboard.press("+");
  await expect.poll(() => zoomOf(enlarged)).toBe(1.5);
  await page.keyboard.press("-");
  await expect.poll(() => zoomOf(enlarged)).toBe(1);
  await page.mouse.dblclick(640, 450);
  await expect.poll(() => zoomOf(enlarged)).toBe(2.5);
  await page.mouse.dblclick(640, 450);
  await expect.poll(() => zoomOf(enlarged)).toBe(1);

  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();
  await link.click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(path);
});

test("several photos follow each other by swipe, arrow keys and buttons; two fingers zoom", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Three", secondName: "Frames" });
  const photos: { photo: Photo; alt: string }[] = [];
  for (const colour of ["#7a2e2e", "#2e7a3a", "#2e3a7a"]) {
    const photo = await plainPhoto(colour, 1800, 2400);
    photos.push({ photo, alt: `Frame ${photos.length + 1}` });
  }
  const path = await postSet(postcard, writer, { photos });

  const page = await open(null, { hasTouch: true, isMobile: true });
  await page.goto(path);
  await page.getByRole("link", { name: "Frame 2" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAccessibleName("Photo 2 of 3");
  await expectDrawn(dialog.getByRole("img", { name: "Frame 2" }));

  const swipe = (from: number, to: number) =>
    touch(page, [{ from: { x: from, y: 400 }, to: { x: to, y: 410 } }]);
  await swipe(320, 80);
  await expect(dialog).toHaveAccessibleName("Photo 3 of 3");
  await swipe(320, 80);
  await expect(dialog).toHaveAccessibleName("Photo 3 of 3");
  await swipe(80, 320);
  await expect(dialog).toHaveAccessibleName("Photo 2 of 3");
  await page.keyboard.press("ArrowLeft");
  await expect(dialog).toHaveAccessibleName("Photo 1 of 3");
  await dialog.getByRole("button", { name: "Next photo" }).click();
  await page.keyboard.press("End");
  await expect(dialog).toHaveAccessibleName("Photo 3 of 3");

  const enlarged = dialog.getByRole("img", { name: "Frame 3" });
  await expectDrawn(enlarged);
  await touch(page, [
    { from: { x: 180, y: 400 }, to: { x: 80, y: 400 } },
    { from: { x: 210, y: 400 }, to: { x: 310, y: 400 } },
  ]);
  await expect.poll(() => zoomOf(enlarged)).toBeGreaterThan(3);
  // When zoomed, a finger moves the photo instead of going to the next.
  await swipe(80, 320);
  await expect(dialog).toHaveAccessibleName("Photo 3 of 3");
  await page.keyboard.press("0");
  await expect.poll(() => zoomOf(enlarged)).toBe(1);
  await touch(page, [{ from: { x: 195, y: 300 }, to: { x: 200, y: 600 } }]);
  await expect(dialog).toHaveCount(0);
});

test("without scripts a photo is a link to its largest image", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Link" });
  const photo = await plainPhoto("#555555", 1500, 1000);
  const path = await post(postcard, writer, { photo, alt: "Grey" });
  const page = await open(null, {
    javaScriptEnabled: false,
    // Chromium styles its own page around an image, which the image's policy refuses.
    expects: /Applying inline style/,
  });
  await page.goto(path);
  await page.getByRole("link", { name: "Grey" }).click();
  await expect(page).toHaveURL(/\/images\/.*\/1500\.webp$/);
});

test("past the last photo is the next post of the list one came from, by keys, swipe and button", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "One", secondName: "After" });
  const post1 = { photo: await plainPhoto("#7a2e2e", 900, 900), alt: "Oldest" };
  await post(postcard, writer, post1);
  const photos = ["Middle 1", "Middle 2"].map((alt) => ({ photo: post1.photo, alt }));
  await postSet(postcard, writer, { photos });
  await post(postcard, writer, { photo: post1.photo, alt: "Newest" });

  const page = await open(null, { hasTouch: true, isMobile: true });
  const list = `/search/${writer.id}`;
  await page.goto(list);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(page.getByRole("heading", { name: `Post by ${writer.name}` })).toBeAttached();
  await page.getByRole("link", { name: "Newest" }).click();
  const dialog = page.getByRole("dialog");
  const shows = async (alt: string, number: number) => {
    await expect(dialog.getByRole("img", { name: alt })).toBeVisible();
    await expect(page).toHaveURL(`/post/${writer.username}/${number}`);
    // While the photo grows, the browser hears no press.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
    );
  };
  await shows("Newest", 3);
  // The first of the list: there is nothing before it.
  await expect(dialog.getByRole("button", { name: "Previous photo" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.keyboard.press("ArrowRight");
  await shows("Middle 1", 2);
  const swipe = (from: number, to: number) =>
    touch(page, [{ from: { x: from, y: 400 }, to: { x: to, y: 410 } }]);
  await swipe(320, 80);
  await shows("Middle 2", 2);
  await swipe(320, 80);
  await shows("Oldest", 1);
  await swipe(320, 80);
  await shows("Oldest", 1);
  // Coming from behind, a post begins with its last photo.
  await dialog.getByRole("button", { name: "Previous post" }).click();
  await shows("Middle 2", 2);

  // Back closes the photo, and then leads to the list, whatever posts were seen.
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(list);

  // In a tab that showed no list there is none.
  const other = await open(null);
  await other.goto(`/post/${writer.username}/3`);
  await other.getByRole("link", { name: "Newest" }).click();
  const alone = other.getByRole("dialog").getByRole("img", { name: "Newest" });
  await expect(alone).toBeVisible();
  await expect(other.getByRole("dialog").getByRole("button", { name: "Next post" })).toHaveCount(0);
  await other.keyboard.press("ArrowRight");
  await expect(alone).toBeVisible();
});

test("one press hides everything but the photo, and a long caption is two lines until it is unfolded", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Bare", secondName: "Walls" });
  const photo = await plainPhoto("#31708f", 900, 1600);
  const caption = "A wall that has seen more weather than all of us together. ".repeat(6);
  const path = await post(postcard, writer, { photo, alt: "A blue wall", caption });
  const page = await open(null);
  await page.goto(path);
  await page.getByRole("link", { name: "A blue wall" }).click();
  const dialog = page.getByRole("dialog");
  const enlarged = dialog.getByRole("img", { name: "A blue wall" });
  await expectDrawn(enlarged);
  const text = dialog.getByText(caption.trim());
  const lines = () =>
    text.evaluate((words) => words.clientHeight / parseFloat(getComputedStyle(words).lineHeight));
  expect(Math.round(await lines())).toBe(2);
  await dialog.getByRole("link", { name: "more of this caption" }).click();
  expect(Math.round(await lines())).toBeGreaterThan(4);

  const [close, before] = [
    dialog.getByRole("button", { name: "Close" }),
    await enlarged.boundingBox(),
  ];
  const press = () => page.mouse.click(195, 300);
  for (const hide of [press, () => page.keyboard.press("h")]) {
    await hide();
    await expect(close).toBeHidden();
    await expect(text).toBeHidden();
    await expect
      .poll(async () => (await enlarged.boundingBox())!.height)
      .toBeGreaterThan(before!.height);
    await hide();
    await expect(close).toBeVisible();
    await expect(text).toBeVisible();
  }
  // Keys are heard while nothing is there to have the focus, and bring everything back.
  await press();
  await expect(close).toBeHidden();
  await page.keyboard.press("Tab");
  await expect(close).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});
