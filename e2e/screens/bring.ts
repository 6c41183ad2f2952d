import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { enter } from "../support/members.ts";
import type { Photo } from "../support/photos.ts";
import { guide, pageOf, type Tour } from "./guide.ts";

/** One of them a post, a few weeks apart, over two years. */
async function exportOf(photos: Photo[]): Promise<Photo> {
  const zip = new ZipFile();
  const from = Date.parse("2022-07-09") / 1000;
  const posts = photos.map((photo, at) => {
    const uri = `media/posts/${at}.jpg`;
    zip.addBuffer(Buffer.from(photo.buffer), uri);
    const taken = { creation_timestamp: from + at * 61 * 86_400 };
    return { ...taken, title: "From the old place", media: [{ ...taken, uri, title: "" }] };
  });
  zip.addBuffer(Buffer.from(JSON.stringify(posts)), "your_instagram_activity/media/posts_1.json");
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { name: "instagram.zip", mimeType: "application/zip", buffer: bytes };
}

/** What somebody posted elsewhere, and which of it comes over. Nothing is sent. */
export async function bring(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  await enter(context, tour.url, tour.staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("bring", () => page.goto("/settings/data/bring"));
  await see(
    "bring-choose",
    async () => {
      const archive = await exportOf(tour.staged.album);
      await page.getByLabel("Choose your archive (zip file)").setInputFiles(archive);
      await page.getByText(`${tour.staged.album.length} posts from Instagram.`).waitFor();
      await page.locator("main canvas").last().waitFor();
      // Each is drawn when it is in sight.
      await page.waitForTimeout(2000);
    },
    { whole: true },
  );
  await context.close();
}
