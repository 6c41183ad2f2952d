import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { ZipFile } from "yazl";
import { query } from "./support/installation.ts";
import { addMember, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { writeSparseExport } from "./support/sparse-export.ts";
import { desktop, expect, test } from "./support/stories.ts";

const megabyte = 1024 * 1024;
const chosenFile = (page: Page) => page.getByLabel("Choose your archive (zip file)");

/** The most memory that the page's scripts held, above what they had at the start, until it is asked; bytes. */
async function watchHeap(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const held = async () => {
    const { usedSize, embedderHeapUsedSize, backingStorageSize } =
      await session.send("Runtime.getHeapUsage");
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  };
  await session.send("HeapProfiler.collectGarbage");
  const before = await held();
  let most = before;
  const enough = new AbortController();
  const watched = (async () => {
    while (!enough.signal.aborted) {
      most = Math.max(most, await held());
      await sleep(50);
    }
  })();
  return async () => {
    enough.abort();
    await watched;
    return most - before;
  };
}

test("a file of more than 4 GB is looked through and sent from with at most 200 MB of memory", async ({
  open,
  postcard,
}) => {
  test.setTimeout(600_000);
  const member = await addMember(postcard, { firstName: "Gil", secondName: "Gigabyte" });
  const page = await open(member, { viewport: desktop });
  const folder = await mkdtemp(join(tmpdir(), "postcard-export-"));
  try {
    const path = join(folder, "instagram.zip");
    const photo = (await plainPhoto("teal", 1200, 900)).buffer;
    const first = Date.UTC(2015, 0, 1, 12);
    await writeSparseExport(path, { photo, photos: 2000, size: 2_300_000, first });
    expect((await stat(path)).size).toBeGreaterThan(4 * 1024 * megabyte);

    await page.goto("/settings/data/bring");
    const memory = await watchHeap(page);
    await chosenFile(page).setInputFiles(path);
    await expect(page.getByText(/^2,000 of 2,000 posts, 2,000 photos, 4\.\d GB/)).toBeVisible({
      timeout: 120_000,
    });
    await page.getByRole("checkbox", { name: /^All/ }).uncheck();
    // Past all of them, with a look here and there.
    for (let part = 1; part <= 10; part += 1) {
      await page.evaluate((tenths) => {
        window.scrollTo(0, (document.documentElement.scrollHeight * tenths) / 10);
      }, part);
      await expect
        .poll(() => page.locator("canvas").evaluateAll(areDrawn), { timeout: 60_000 })
        .toBeGreaterThan(0);
    }
    await page.getByRole("checkbox", { name: /Number 0$/ }).press(" ");
    await page.getByRole("button", { name: "Bring 1 post" }).click();
    await expect(page.getByText("1 of 1 posts imported.")).toBeVisible({ timeout: 60_000 });
    expect(await memory()).toBeLessThan(200 * megabyte);
    expect(await captionsOf(postcard, member)).toEqual(["Number 0"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** How many thumbnails in the window have their pixels. */
function areDrawn(canvases: (SVGElement | HTMLElement)[]): number {
  return canvases.filter((canvas) => {
    const { top, bottom } = canvas.getBoundingClientRect();
    const isNear = bottom > 0 && top < window.innerHeight;
    return isNear && (canvas as HTMLCanvasElement).width === 256;
  }).length;
}

async function captionsOf(postcard: string, { username }: Member): Promise<string[]> {
  const rows = await query<{ caption: string }>(
    postcard,
    `select caption from posts p join accounts a on a.id = p.author_id
    where a.username = $1 order by p.id`,
    [username],
  );
  return rows.map(({ caption }) => caption);
}

/** A hundred posts in each of ten years. */
async function thousandPosts() {
  const zip = new ZipFile();
  const photo = (await plainPhoto("teal", 16, 16)).buffer;
  const listed = Array.from({ length: 1000 }, (_, at) => ({
    title: `Number ${at}`,
    creation_timestamp: Date.UTC(2011 + Math.floor(at / 100), 0, 1 + (at % 100) * 3) / 1000,
    media: [{ uri: `media/posts/${at}.jpg`, creation_timestamp: 0, title: "" }],
  }));
  zip.addBuffer(Buffer.from(JSON.stringify(listed)), "your_instagram_activity/media/posts_1.json");
  for (const { media } of listed) zip.addBuffer(photo, media[0]?.uri ?? "", { compress: false });
  zip.end();
  const bytes = await buffer(zip.outputStream);
  return { name: "instagram.zip", mimeType: "application/zip", buffer: bytes };
}

test("of a thousand posts one year is unticked, the tab is closed on the way, and exactly the others come", async ({
  open,
  postcard,
}) => {
  test.setTimeout(1_200_000);
  const member = await addMember(postcard, { firstName: "Tia", secondName: "Thousand" });
  const page = await open(member, { viewport: desktop });
  const file = await thousandPosts();
  await page.goto("/settings/data/bring");
  await chosenFile(page).setInputFiles(file);
  await expect(page.getByText(/^1,000 of 1,000 posts, /)).toBeVisible();
  await page.getByRole("checkbox", { name: /^2015/ }).uncheck();
  await page.getByRole("button", { name: "Bring 900 posts" }).click();
  await expect
    .poll(async () => (await captionsOf(postcard, member)).length, { timeout: 120_000 })
    .toBeGreaterThan(50);
  await page.close();

  const next = await page.context().newPage();
  const before = (await captionsOf(postcard, member)).length;
  expect(before).toBeLessThan(900);
  await next.goto("/settings/data/bring");
  await expect(next.getByText(/^\d+ of 900 posts from Instagram are here\./)).toBeVisible();
  await chosenFile(next).setInputFiles(file);
  await expect(next.getByText("900 of 900 posts imported.")).toBeVisible({ timeout: 900_000 });

  const all = Array.from({ length: 1000 }, (_, at) => at);
  const others = all.filter((at) => at < 400 || at >= 500).map((at) => `Number ${at}`);
  expect(await captionsOf(postcard, member)).toEqual(others);
});
