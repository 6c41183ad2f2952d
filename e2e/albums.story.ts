import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectNever, expectWell, nameOf, otherShapes, people } from "./support/audiences.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { plainPhoto, type Photo } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

/** Small, and of different shapes. */
const photos = (count: number): Promise<Photo[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      ...(await plainPhoto(`hsl(${at * 47}, 50%, 45%)`, 240 + (at % 3) * 120, 240)),
      name: `${at + 1}.jpg`,
    })),
  );

/** As its owner makes one on the screen. @returns its path */
async function makeAlbum(page: Page, title: string): Promise<string> {
  await page.goto("/profile?tab=albums");
  await page.getByRole("link", { name: "New album" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("A few words").fill("A week by the sea.");
  await page.getByRole("button", { name: "Create album" }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  return new URL(page.url()).pathname;
}

async function addPhotos(page: Page, album: string, files: readonly Photo[]): Promise<void> {
  await page.goto(`${album}/add`);
  await page.locator('input[name="image"]').setInputFiles([...files]);
  const added = files.length === 1 ? "1 photo added." : `${files.length} photos added.`;
  await expect(page.getByText(added)).toBeVisible({ timeout: 60_000 });
}

const shown = (page: Page) => page.locator(".album-photo img");

/** The colours of an album's photos are told apart by the addresses of their images. */
const sources = (page: Page) =>
  shown(page).evaluateAll((all) => all.map((each) => each.getAttribute("src")));

async function joinAs(page: Page, link: string, title: string, owner: Member): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await expect(page.getByText(`${owner.name} invites you to`)).toBeVisible();
  await expectWell(page);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByText("For members")).toBeVisible();
}

for (const shape of [{}, ...otherShapes]) {
  test(`${Object.keys(shape).length > 0 ? `${nameOf(shape)}: ` : ""}a family's album: two contributors, one by link, and who may not see it`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob, cleo } = await people(postcard);
    const dan = await addMember(postcard, { firstName: "Dan", secondName: "Distant" });
    const title = "Summer 2026 🏖️ at Großmutter’s house by the sea";
    const page = await open(ana, shape);
    const album = await makeAlbum(page, title);
    await expectWell(page);
    await addPhotos(page, album, await photos(5));
    await expectWell(page);

    for (const path of ["/album/new", `${album}/arrange`, `${album}/edit`, `${album}/delete`]) {
      await page.goto(path);
      await expectWell(page);
    }
    await page.goto("/profile?tab=albums");
    await expectWell(page);

    await page.goto(`${album}/members`);
    await page.getByRole("button", { name: `Invite ${bob.name}` }).click();
    await page.getByRole("button", { name: `Let them add photos: ${bob.name}` }).click();
    await expect(page.getByText("Can add photos").first()).toBeVisible();
    await page.getByLabel("People who join with it").selectOption("contributor");
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.getByLabel("The link").inputValue();
    await expectWell(page);

    const brother = await open(bob, shape);
    await addPhotos(brother, album, await photos(2));
    const aunt = await open(cleo, shape);
    await joinAs(aunt, new URL(link).pathname + new URL(link).search, title, ana);
    await addPhotos(aunt, album, await photos(1));
    await aunt.getByRole("link", { name: "View the album" }).click();
    await expect(aunt.getByText("8 photos")).toBeVisible();
    await expect(shown(aunt)).toHaveCount(8);
    await expectWell(aunt);

    for (const other of [dan, null]) {
      const stranger = await open(other, { ...shape, expects: /status of 404/ });
      expect((await stranger.goto(album))?.status()).toBe(404);
      const seen = await stranger.locator("main").innerText();
      await stranger.goto("/album/0197a000-0000-7000-8000-000000000000");
      expect(await stranger.locator("main").innerText()).toBe(seen);
    }
    await expectNever({ open, postcard, shape }, `/post/${ana.username}/1`, [dan, null]);
  });
}

/** Photos of a row are as high as each other, and as wide as their ratio asks. */
for (const viewport of [phone, desktop]) {
  test(`at ${viewport.width} px rows keep each photo's ratio, with and without scripts`, async ({
    open,
    postcard,
  }) => {
    const { ana } = await people(postcard);
    const page = await open(ana, { viewport });
    const album = await makeAlbum(page, "Rows");
    await addPhotos(page, album, await photos(7));
    for (const javaScriptEnabled of [true, false]) {
      const reader = await open(ana, { viewport, javaScriptEnabled });
      await reader.goto(album);
      const boxes = await reader.locator(".album-photo").evaluateAll((all) =>
        all.map((each) => {
          const { top, height, width, right } = each.getBoundingClientRect();
          const image = each.querySelector("img");
          const ratio =
            Number(image?.getAttribute("width")) / Number(image?.getAttribute("height"));
          return { top: Math.round(top), height, right, off: width / height / ratio };
        }),
      );
      expect(boxes).toHaveLength(7);
      for (const { top, height, off, right } of boxes) {
        expect(off).toBeGreaterThan(0.97);
        expect(off).toBeLessThan(1.03);
        expect(right).toBeLessThanOrEqual(viewport.width);
        const row = boxes.filter((other) => other.top === top);
        for (const other of row) expect(other.height).toBeCloseTo(height, 0);
      }
    }
  });
}

test("by keys alone: photos are put in order, and the slide show pauses, goes on and ends", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const page = await open(ana, { viewport: desktop, reducedMotion: "reduce" });
  const album = await makeAlbum(page, "Keys");
  await addPhotos(page, album, await photos(3));
  await page.goto(album);
  const before = await sources(page);

  await page.getByRole("link", { name: "Arrange" }).press("Enter");
  await expectWell(page);
  const later = page.getByRole("button", { name: /^Move later/ });
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/order"));
  await later.first().press("Enter");
  expect((await saved).status()).toBe(204);
  await page.goto(album);
  expect(await sources(page)).toEqual([before[1], before[0], before[2]]);

  const button = page.getByRole("button", { name: "Slide show" });
  await button.press("Enter");
  const show = page.getByRole("dialog");
  await expect(show).toHaveAccessibleName("Photo 1 of 3");
  expect(await page.evaluate(() => document.fullscreenElement?.tagName)).toBe("HTML");
  // Nothing of the page is painted over it, whatever hit tests say.
  const beside = await page.screenshot({ clip: { x: 0, y: 100, width: 150, height: 200 } });
  const { channels } = await sharp(beside).stats();
  expect(Math.max(...channels.map(({ max }) => max))).toBe(0);
  // Whoever wants less motion begins with a pause.
  await expect(show.getByRole("button", { name: "Play" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(show).toHaveAccessibleName("Photo 2 of 3");
  await page.keyboard.press("ArrowLeft");
  await expect(show).toHaveAccessibleName("Photo 1 of 3");
  await page.clock.install();
  await show.focus();
  await page.keyboard.press(" ");
  await expect(show.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.clock.runFor(5000);
  await expect(show).toHaveAccessibleName("Photo 2 of 3");
  await page.keyboard.press(" ");
  await expect(show.getByRole("button", { name: "Play" })).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(show).toHaveAccessibleName("Photo 2 of 3");
  await page.keyboard.press("Escape");
  await expect(show).toBeHidden();
  await expect(button).toBeFocused();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false);
});

test("the line breaks while 20 photos are sent: all arrive, once each and in their order", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const page = await open(ana, { expects: /ERR_|Failed to (fetch|load)/ });
  const album = await makeAlbum(page, "Twenty");
  let answers = 0;
  await page.route("**/api/albums/*/photos", async (route) => {
    answers += 1;
    // The server has added it, and the browser never hears of that.
    if (answers === 4) await route.fetch();
    if (answers === 4 || answers === 9) await route.abort();
    else await route.continue();
  });
  let parts = 0;
  await page.route("**/api/uploads/*", async (route) => {
    parts += 1;
    if (route.request().method() === "PATCH" && parts % 7 === 0) await route.abort();
    else await route.continue();
  });
  await addPhotos(page, album, await photos(20));
  await page.getByRole("link", { name: "View the album" }).click();
  await expect(page.getByText("20 photos", { exact: true })).toBeVisible();
  const widths = await shown(page).evaluateAll((all) =>
    all.map((each) => Number(each.getAttribute("width"))),
  );
  expect(widths).toEqual(Array.from({ length: 20 }, (_, at) => 240 + (at % 3) * 120));
});

test("a reload in the middle: the rest goes on by itself, before anybody touches the page", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const page = await open(ana, { expects: /ERR_|Failed to (fetch|load)/, untouched: true });
  const album = await makeAlbum(page, "Reloaded");
  await page.route("**/api/albums/*/photos", (route) => route.abort());
  await page.goto(`${album}/add`);
  await page.locator('input[name="image"]').setInputFiles(await photos(3));
  await expect(page.getByText("Waiting for the connection")).toBeVisible();
  await page.unroute("**/api/albums/*/photos");
  await page.goto(album);
  await expect(page.getByText("3 photos added.")).toBeVisible({ timeout: 30_000 });
  await expect(shown(page)).toHaveCount(3);
});

test("two tabs put photos in order at the same time, and neither loses anything", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const page = await open(ana);
  const album = await makeAlbum(page, "Two tabs");
  await addPhotos(page, album, await photos(5));
  await page.goto(album);
  const [a, b, c, d, e] = await sources(page);
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(`${album}/arrange`);
  await Promise.all(
    [
      [page, page.getByRole("button", { name: /^Move later/ }).first()] as const,
      [other, other.getByRole("button", { name: /^Move earlier/ }).last()] as const,
    ].map(async ([tab, button]) => {
      const saved = tab.waitForResponse((answer) => answer.url().endsWith("/order"));
      await button.click();
      expect((await saved).status()).toBe(204);
    }),
  );
  await page.goto(album);
  expect(await sources(page)).toEqual([b, a, c, e, d]);
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "" : "without scripts: "}a cover is chosen, a member removed once that was asked, and only followers are invited`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const dan = await addMember(postcard, { firstName: "Dan", secondName: "Distant" });
    const page = await open(ana, { javaScriptEnabled });
    // axe needs scripts
    const well = () => (javaScriptEnabled ? expectWell(page) : expectNoSidewaysScroll(page));
    const album = await makeAlbum(page, "Ours");
    await page.goto(`${album}/add`);
    await page.locator('input[name="image"]').setInputFiles(await photos(2));
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "View the album" }).or(shown(page).first()).click();
    await page.goto(`${album}/arrange`);
    await page
      .getByRole("button", { name: /^Make it the cover/ })
      .last()
      .click();
    await expect(page.getByText("Cover changed")).toBeVisible();
    await well();

    await page.goto(`${album}/members`);
    await page.getByRole("button", { name: `Invite ${bob.name}` }).click();
    const remove = page.getByLabel(`Remove ${bob.name}`, { exact: true });
    await remove.click();
    await expect(page.getByText("posts that only they can see")).toBeVisible();
    await well();
    await page.getByRole("button", { name: `Remove ${bob.name} from this album` }).click();
    await expect(remove).toBeHidden();

    await page.getByLabel("Search people").fill("Dan");
    await page.getByRole("button", { name: "Search" }).last().click();
    const found = page.getByRole("listitem").filter({ hasText: `@${dan.username}` });
    await expect(found).toContainText("Doesn’t follow you");
    await expect(found.getByRole("button")).toHaveCount(0);
    await well();
  });
}

test("a file that is no photo is named, and stops no other", async ({ open, postcard }) => {
  const { ana } = await people(postcard);
  const page = await open(ana, { expects: /status of 4\d\d/ });
  const album = await makeAlbum(page, "One is none");
  const [good] = await photos(1);
  const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no photo") };
  await page.goto(`${album}/add`);
  await page.locator('input[name="image"]').setInputFiles([broken, good!]);
  await expect(page.getByText("1 photo didn't go through.")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("broken.jpg")).toBeVisible();
  await expectWell(page);
  await page.getByRole("button", { name: "Leave them out" }).click();
  await expect(page.getByText("broken.jpg")).toBeHidden();
  await page.goto(album);
  await expect(shown(page)).toHaveCount(1);
});

test("without scripts: make an album, add photos, put a post in, delete it", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const photo = await plainPhoto("#5b8c6e", 600, 400);
  const path = await post(postcard, ana, { caption: "From before", alt: "A field", photo });
  const page = await open(ana, { javaScriptEnabled: false });
  const album = await makeAlbum(page, "Plain");
  await page.goto(`${album}/add`);
  await page.locator('input[name="image"]').setInputFiles(await photos(2));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page).toHaveURL(album);
  await expect(page.getByText("2 photos")).toBeVisible();
  await page.goto(`${path}/album`);
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page).toHaveURL(album);
  await expect(shown(page)).toHaveCount(3);
  await page.goto(`${album}/delete`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/profile?tab=albums");
  await expect(page.getByText("No albums yet")).toBeVisible();
});

test("what was typed survives a title that is missing, and a server that is away", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  await follow(postcard, ana, bob);
  const page = await open(ana, { expects: /status of 4\d\d|ERR_FAILED|status of 5\d\d/ });
  await page.goto("/album/new");
  await page.getByLabel("A few words").fill("مرحبا، a long story");
  await page.getByRole("button", { name: "Create album" }).click();
  await expect(page.getByText("Give the album a title.")).toBeVisible();
  await expect(page.getByLabel("A few words")).toHaveValue("مرحبا، a long story");
  await page.getByLabel("Title").fill("At last");
  await page.route("**/album/new.data*", (route) => route.abort());
  await page.getByRole("button", { name: "Create album" }).click();
  await expect(page.getByRole("alert").getByText("still here")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("At last");
});
