import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { shiftsOf } from "./support/layout-shift.ts";
import { phonePhoto, plainPhoto, samplePhoto, type Photo } from "./support/photos.ts";
import {
  colourAt,
  expectDrawn,
  jpegBytes,
  locationIn,
  servedVariants,
} from "./support/served-images.ts";
import { expect, test } from "./support/stories.ts";

async function signUpByForm(page: Page, firstName: string, secondName: string, avatar: Photo) {
  await page.goto("/signUp");
  await page.locator('input[name="picture"]').setInputFiles(avatar);
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("Second name").fill(secondName);
  await page.getByLabel("Email").fill(`${firstName}.${Date.now()}@example.org`.toLowerCase());
  await page.getByLabel("Password", { exact: true }).fill("a long walk by the sea 7");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Account created Successfully")).toBeVisible();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL("/");
}

async function postByForm(page: Page, caption: string, photo?: Photo | string) {
  await page.getByRole("link", { name: "Post", exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL("/upload");
  await expect(page.getByText("A photo, words, or both.")).toBeVisible();
  if (photo) {
    await page.locator('input[name="image"]').setInputFiles(photo);
    await expect(page.getByAltText("Your choice")).toBeVisible();
  }
  await page.getByLabel("Write a Caption").fill(caption);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/, { timeout: 60_000 });
}

test("from the front page to the first photo are seven presses, and nothing moves by itself", async ({
  open,
}) => {
  const page = await open(null);
  let presses = 0;
  const press = async (target: Locator) => {
    await target.click();
    presses += 1;
  };
  const choose = async (field: Locator, photo: Photo) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press(field)]);
    await chooser.setFiles(photo);
  };
  const expectStill = async (step: string) =>
    expect(await shiftsOf(page), step).toBeLessThanOrEqual(0.02);

  await page.goto("/");
  await expectStill("the front page");
  await press(page.locator("main").getByRole("link", { name: "Create your account" }).first());
  await expect(page.getByLabel("First name")).toBeVisible();
  await expectStill("the form");
  await choose(page.locator('input[name="picture"]'), await plainPhoto("#7a1f4d"));
  await page.getByLabel("First name").fill("Seven");
  await page.getByLabel("Second name").fill("Presses");
  await page.getByLabel("Email").fill(`seven.${Date.now()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill("a long walk by the sea 7");
  await expectStill("what was typed");
  await press(page.getByRole("button", { name: "Sign Up" }));
  await press(page.getByRole("button", { name: "OK" }));
  await expect(page).toHaveURL("/");
  await expectStill("Home");
  await press(page.getByRole("link", { name: "Post", exact: true }).filter({ visible: true }));
  await expect(page).toHaveURL("/upload");
  await choose(page.getByText("Click to upload"), await plainPhoto("#1f4d7a"));
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await expectStill("the composer");
  await press(page.getByRole("button", { name: "Post", exact: true }));
  await expect(page).toHaveURL(/\/\?posted=\d+$/, { timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Your new post" })).toBeVisible();
  await expectStill("the post");
  expect(presses).toBe(7);
});

test("two people meet: one posts from a phone, the other finds her, follows her and reads", async ({
  open,
}) => {
  const wanda = `Wanda${Date.now() % 100_000}`;
  const generated = await phonePhoto();
  expect(await locationIn(generated.buffer)).toMatchObject({ latitude: expect.closeTo(48.858, 2) });
  const real = samplePhoto("phone-12mp.jpg");

  const author = await open(null);
  await signUpByForm(author, wanda, "Lindqvist", await plainPhoto("#1f6f5c"));
  await postByForm(author, "Only words today.");
  await expect(author.getByText("Nothing from others yet")).toBeVisible();
  await author.locator("main").getByRole("link", { name: "your profile" }).click();
  await expect(author.getByText("No photos yet")).toBeVisible();
  await author.getByRole("link", { name: "Show the post" }).click();
  await expect(author.getByRole("article")).toContainText("Only words today.");
  await postByForm(author, "The meadow behind the house", generated);
  if (real) await postByForm(author, "Straight from the phone", real);

  const reader = await open(null);
  await signUpByForm(reader, "Tomas", "Novak", await plainPhoto("#a3541d"));
  await expect(reader.getByText("No mail yet")).toBeVisible();
  await reader.getByRole("link", { name: "Search" }).filter({ visible: true }).click();
  // Case and spaces do not matter.
  await reader.getByLabel("Search people or #hashtags").fill(`${wanda.toUpperCase()} LIND qvist`);
  // Her photos are among the recent ones that were there before.
  await expect(reader.getByText("1 account found")).toBeAttached();
  await reader.getByRole("link", { name: `${wanda} Lindqvist` }).click();
  await expect(reader).toHaveURL(/\/search\/[0-9a-f-]{36}$/);
  await expect(reader.getByRole("heading", { name: `${wanda} Lindqvist` })).toBeVisible();
  await expect(reader.getByText(`${real ? 3 : 2} posts`)).toBeVisible();
  await reader.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(reader.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(reader.getByRole("link", { name: "1 follower" })).toBeVisible();

  await reader.getByRole("link", { name: "Home" }).filter({ visible: true }).click();
  const posts = reader.getByRole("article");
  await expect(posts).toHaveCount(real ? 3 : 2);
  await expect(posts.last()).toContainText("Only words today.");
  await expect(posts.last()).toContainText(/Today, \d{1,2}:\d\d [ap]m/);

  const meadow = posts.filter({ hasText: "The meadow behind the house" });
  await checkUpright(meadow.locator("img[srcset]").last(), generated.buffer);
  if (real) {
    const phone = posts.filter({ hasText: "Straight from the phone" });
    await checkServed(phone.locator("img[srcset]").last(), await readFile(real), basename(real));
  }

  await meadow.getByRole("link", { name: "Open this post" }).click();
  await expect(reader).toHaveURL(/\/post\/[a-z0-9_]+\/2$/);
  await expect(reader.getByText("The meadow behind the house")).toBeVisible();
});

type ImageLocator = Parameters<typeof servedVariants>[0];

/** Every variant: no location, and at most 0.6 of what a JPEG would take. */
async function checkServed(photo: ImageLocator, original: Buffer, name: string) {
  await expectDrawn(photo);
  const variants = await servedVariants(photo);
  expect(variants.length).toBeGreaterThan(1);
  for (const { url, width, bytes } of variants) {
    expect(await locationIn(bytes), url).toBeNull();
    const share = bytes.length / (await jpegBytes(original, width));
    expect(share, `${name} at ${width}: share of a JPEG's bytes`).toBeLessThanOrEqual(0.6);
  }
  return variants;
}

/** Red disc in the upper left, sky above, grass below: as the phone was held. */
async function checkUpright(photo: ImageLocator, original: Buffer) {
  for (const { bytes, width, height } of await checkServed(photo, original, "generated")) {
    expect(height / width).toBeCloseTo(4 / 3, 1);
    const [disc, sky, grass] = await Promise.all([
      colourAt(bytes, 0.25, 0.19),
      colourAt(bytes, 0.75, 0.1),
      colourAt(bytes, 0.5, 0.52),
    ]);
    expect(disc.red).toBeGreaterThan(disc.blue + 80);
    expect(sky.blue).toBeGreaterThan(sky.red + 40);
    expect(grass.green).toBeGreaterThan(grass.blue + 20);
  }
}
