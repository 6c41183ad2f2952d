import type { Page } from "@playwright/test";
import sharp from "sharp";
import { addMember, signUp } from "./support/members.ts";
import type { Photo } from "./support/photos.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

/** A photo with camera details and a location. */
async function takenPhoto(): Promise<Photo> {
  const buffer = await sharp({
    create: { width: 900, height: 600, channels: 3, background: "#2f6f8f" },
  })
    .withExif({
      IFD0: { Make: "Leica", Model: "Leica Q3" },
      IFD2: {
        LensModel: "Summilux 28",
        FNumber: "17/10",
        ExposureTime: "1/250",
        ISOSpeedRatings: "100",
        FocalLength: "28/1",
        DateTimeOriginal: "2024:05:01 18:30:00",
      },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "43/1 28/1 2814/100",
        GPSLongitudeRef: "E",
        GPSLongitude: "11/1 53/1 645/100",
      },
    })
    .jpeg()
    .toBuffer();
  return { name: "taken.jpg", mimeType: "image/jpeg", buffer };
}

/** Five frames from red to black. */
async function dancing(width: number, frames: number): Promise<Photo> {
  const height = Math.round(width / 2);
  const data = Buffer.alloc(width * height * 3 * frames);
  for (let at = 0; at < data.length; at += 3) {
    data[at] = 255 - Math.floor((at / data.length) * 250);
  }
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  const buffer = await sharp(data, { raw, limitInputPixels: false })
    .gif({ delay: Array<number>(frames).fill(200), effort: 1, keepDuplicateFrames: true })
    .toBuffer();
  return { name: "dance.gif", mimeType: "image/gif", buffer };
}

const picker = (page: Page) => page.locator('input[name="image"]');
const receipt = (page: Page, words: string) => page.getByText(words, { exact: false });

test("camera and location are shown where their author says so, and the location is forgotten again", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Lens", secondName: "Cap" });
  const page = await open(writer, { viewport: desktop });
  await page.goto("/upload");
  await expect(page.getByLabel("Show camera details")).toBeHidden();
  await picker(page).setInputFiles(await takenPhoto());
  await expect(receipt(page, "Shown without location or camera details.")).toBeVisible();
  await page.locator("summary", { hasText: "Camera and place" }).click();
  await page.getByLabel("Show camera details").check();
  await page.getByLabel("Show where it was taken").check();
  await expect(
    receipt(page, "Shown with camera details and location to about 1 km."),
  ).toBeVisible();
  await page.locator("summary", { hasText: "Describe the photo" }).click();
  await page.getByLabel("Describe the photo").fill("Blue");
  await page.getByLabel("Write a Caption").fill("By the lake");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Posted.")).toBeVisible();

  const path = `/post/${writer.username}/1`;
  const visitor = await open(null, { javaScriptEnabled: false });
  await visitor.goto(path);
  const line = "Leica Q3 · 28 mm · f/1.7 · 1/250 s · ISO 100";
  await expect(visitor.getByText(line)).toBeVisible();
  await expect(visitor.getByText(line)).toHaveCSS("font-size", "13px");
  const location = visitor.getByRole("link", { name: "43.47° N, 11.89° E" });
  await expect(location).toHaveAttribute("rel", "noopener noreferrer");
  await expect(location).toHaveAttribute("href", /^https:\/\/www\.openstreetmap\.org\//);

  await page.goto(path);
  await page.getByRole("link", { name: "Blue" }).click();
  const lightbox = page.getByRole("dialog");
  await expect(lightbox.getByText(line)).toBeVisible();

  // Only the first is suggested again.
  await page.goto("/upload");
  await picker(page).setInputFiles(await takenPhoto());
  await expect(page.getByLabel("Show camera details")).toBeChecked();
  await expect(page.getByLabel("Show where it was taken")).not.toBeChecked();

  await page.goto(`${path}/edit`);
  await page.getByLabel("Show where it was taken").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByText(line)).toBeVisible();
  await expect(page.getByText("43.47")).toHaveCount(0);
  await page.goto(`${path}/edit`);
  await expect(page.getByLabel("Show camera details")).toBeChecked();
  await expect(page.getByLabel("Show where it was taken")).toHaveCount(0);
});

test("an animated photo moves unless reduced motion is preferred; one that is too long stays still, with a note", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Gif", secondName: "Sender" });
  const page = await open(writer, { viewport: phone });
  await page.goto("/upload");
  await picker(page).setInputFiles([
    await dancing(240, 5),
    { ...(await dancing(4, 1200)), name: "endless.gif" },
  ]);
  await expect(
    page.getByText("Photo 2 is too long or too large to move: people will see its first frame."),
  ).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Posted.")).toBeVisible({ timeout: 60_000 });

  const path = `/post/${writer.username}/1`;
  for (const [reducedMotion, file] of [
    ["no-preference", /\/moving\.webp$/],
    ["reduce", /\/240\.webp$/],
  ] as const) {
    const looking = await open(null, { reducedMotion });
    await looking.goto(path);
    const image = looking.locator("[data-photo-frame] img[srcset]").first();
    await expect
      .poll(() => image.evaluate((shown: HTMLImageElement) => shown.currentSrc))
      .toMatch(file);
    await looking.locator("[data-photo-frame] li > a").first().click();
    const large = looking.getByRole("dialog").locator("img");
    await expect(large).toHaveAttribute("src", file);
  }
  const grid = await open(null);
  await grid.goto(`/search/${writer.id}`);
  await expect(grid.locator("main picture")).toHaveCount(0);
});
