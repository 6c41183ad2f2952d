import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { ZipFile } from "yazl";
import { axeFinds } from "./support/axe.ts";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

/** An export of Instagram with one photo of 2019, and a video. */
async function instagramExport() {
  const zip = new ZipFile();
  const folder = "media/posts/201905";
  const at = { creation_timestamp: Date.UTC(2019, 4, 3) / 1000, title: "" };
  const media = [
    { ...at, uri: `${folder}/sea.jpg` },
    { ...at, uri: `${folder}/film.mp4` },
  ];
  const posts = [{ ...at, media, title: "The sea in May" }];
  zip.addBuffer(Buffer.from(JSON.stringify(posts)), "your_instagram_activity/media/posts_1.json");
  zip.addBuffer((await plainPhoto("teal")).buffer, `${folder}/sea.jpg`);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { name: "instagram.zip", mimeType: "application/zip", buffer: bytes };
}

/** In both themes, at the widths of a phone and a desktop. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ["light", "synthwave"]) {
      await page.evaluate((name) => {
        document.documentElement.dataset["theme"] = name;
      }, theme);
      expect(await axeFinds(page), `${state}, ${theme}, ${width}`).toEqual([]);
    }
    await expectNoSidewaysScroll(page);
  }
}

test("a member brings photos from Instagram, for themself alone, sees what was left out, and undoes it", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Ines", secondName: "Insta" });
  const page = await open(member, {});
  await page.goto("/settings/data");
  const section = page.getByRole("region", { name: "Bring your photos" });
  await section.getByText("How to get your file").click();
  await expect(section.getByText("with JSON as the format")).toBeVisible();
  await section.locator("summary", { hasText: "Who can see it" }).click();
  await section.getByRole("radio", { name: /^Only me/ }).check();
  await expectAccessible(page, "the form");
  await section.getByLabel("Archive (zip file)").setInputFiles(await instagramExport());
  await section.getByRole("button", { name: "Import" }).click();
  await expect(section.getByText("1 of 1 posts imported.")).toBeVisible({ timeout: 60_000 });
  await expect(section.getByText("1 video or reel: Postcard has photos and words")).toBeVisible();
  await expectAccessible(page, "the outcome");

  await page.goto(`/post/${member.username}/1`);
  await expect(page.getByText("The sea in May")).toBeVisible();
  await expect(page.locator('time[datetime^="2019-05-03"]').first()).toBeVisible();
  const guest = await fetch(`${postcard}/post/${member.username}/1`);
  expect(guest.status).toBe(404);

  await page.goto("/settings/data");
  await section.getByRole("link", { name: /^Undo the import of .* from Instagram$/ }).click();
  await expect(
    page.getByRole("heading", { name: "Delete the 1 post of this import?" }),
  ).toBeVisible();
  await expect(page.getByText("None of them has comments of others.")).toBeVisible();
  await expectAccessible(page, "the question before an import is undone");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(section.getByText("Your import is undone: 1 post removed.")).toBeVisible({
    timeout: 60_000,
  });
  await expectAccessible(page, "an import that is undone");
});

test("without scripts photos are brought and the import is undone, too", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Nils", secondName: "Noscript" });
  const page = await open(member, { javaScriptEnabled: false });
  await page.goto("/settings/data");
  await page.getByLabel("Archive (zip file)").setInputFiles(await instagramExport());
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("1 of 1 posts imported.")).toBeVisible({ timeout: 60_000 });
  await page.getByRole("link", { name: /^Undo the import/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Your import is undone: 1 post removed.")).toBeVisible({
    timeout: 60_000,
  });
});
