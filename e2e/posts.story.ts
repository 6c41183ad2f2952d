import type { Page } from "@playwright/test";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn } from "./support/served-images.ts";
import { desktop, expect, test } from "./support/stories.ts";

/** A file dropped on the middle of the page, away from every field. */
async function dropOnPage(page: Page, file: Buffer): Promise<void> {
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "dropped.jpg", { type: "image/jpeg" }));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    }
  }, Array.from(file));
}

test("a photo is dropped on the page, described, posted and shown with its description", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Dora", secondName: "Drop" });
  const page = await open(writer, { viewport: desktop });
  await page.goto("/upload");
  const { buffer } = await plainPhoto("#c0394b");
  await dropOnPage(page, buffer);
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await page.locator("summary", { hasText: "Describe the photo" }).click();
  await page.getByLabel("Describe the photo").fill("A red square");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await page.goto("/profile");
  await page.getByRole("link", { name: "A red square" }).click();
  await expect(page.getByRole("heading", { name: /^Post by/ })).toBeAttached();
  await expectDrawn(page.getByRole("img", { name: "A red square" }));
});

test("nothing to post is said, and a caption over the limit too, before anything is sent", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Ever", secondName: "Long" });
  const page = await open(writer);
  await page.goto("/upload");
  const button = page.getByRole("button", { name: "Post", exact: true });
  await button.click();
  const nothing = page.getByText("Add a photo or write something");
  await expect(nothing).toBeVisible();
  const caption = page.getByLabel("Write a Caption");
  await caption.press("a");
  await expect(nothing).toHaveCount(0);
  await caption.fill("");
  await button.click();
  await expect(nothing).toBeVisible();
  await page.locator('input[name="image"]').setInputFiles(await plainPhoto());
  await expect(nothing).toHaveCount(0);
  await page.getByRole("button", { name: "Remove the photo" }).click();
  // A family emoji is one character.
  await caption.fill("👨‍👩‍👧‍👦".repeat(2190));
  await expect(page.getByText("10 left")).toBeVisible();
  await caption.fill("👨‍👩‍👧‍👦".repeat(2203));
  await expect(page.getByText("3 too many", { exact: true })).toBeVisible();
  await button.click();
  await expect(page.getByText("this is 3 too many")).toBeVisible();
  await caption.fill("Short after all");
  await button.click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
});
