import type { Locator, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, signUp } from "./support/members.ts";
import { plainPhoto, samplePhoto, type Photo } from "./support/photos.ts";
import { expectDrawn, locationIn, servedVariants } from "./support/served-images.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const colours = [
  "#b0413e",
  "#d98032",
  "#d6c13a",
  "#6fae45",
  "#2f8f6b",
  "#2f8fa8",
  "#3567b5",
].concat(["#6a4bb0", "#a84a9b", "#6b6b6b"]);

/** Small photos, each of a different colour. */
const photos = (count: number): Promise<Photo[]> =>
  Promise.all(
    colours.slice(0, count).map(async (colour, index) => {
      const photo = await plainPhoto(colour, 320, 240);
      return { ...photo, name: `${index + 1}.jpg` };
    }),
  );

const strip = (page: Page) => page.getByRole("list", { name: "Your photos" });
const thumb = (page: Page, at: number) =>
  strip(page).getByRole("button", { name: new RegExp(`^Photo ${at} of`) });
const picker = (page: Page) => page.locator('input[name="image"]');
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Every photo is uploaded: nothing is in progress any more. */
async function expectSent(page: Page, count: number): Promise<void> {
  await expect(strip(page).locator("[data-sort-id]")).toHaveCount(count);
  await expect(strip(page).locator("progress")).toHaveCount(0, { timeout: 60_000 });
}

async function switchReminder(page: Page): Promise<void> {
  await page.goto("/settings");
  const saved = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByLabel("Remind me to describe photos").click();
  expect((await saved).ok()).toBe(true);
}

async function describe(page: Page, at: number, alt: string): Promise<void> {
  const row = page.locator("details", { hasText: "Describe the photos" });
  if ((await row.getAttribute("open")) === null) await row.locator("summary").click();
  await page.getByLabel(`Describe photo ${at} of`).fill(alt);
  await expect(thumb(page, at)).toHaveAttribute("aria-pressed", "true");
}

/** The photos of a member's newest post, in the order their page shows. */
async function altsOf(page: Page, username: string, number: number): Promise<string[]> {
  const answer = await page.request.get(`/api/posts/${username}/${number}`);
  const post = (await answer.json()) as { pictures: { alt: string }[] };
  return post.pictures.map(({ alt }) => alt);
}

async function centreOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not there");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("ten photos are described, sorted by keys and by drag, and shown in that order", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Ten", secondName: "Views" });
  const page = await open(writer, { viewport: desktop });
  await page.goto("/upload");
  await picker(page).setInputFiles(await photos(10));
  await expectSent(page, 10);
  const names = Array.from({ length: 10 }, (_, index) => `Colour ${index + 1}`);
  for (const [index, name] of names.entries()) await describe(page, index + 1, name);
  expect(await axeFinds(page)).toEqual([]);

  // By keys: the tenth moves before the ninth, and its position is announced.
  await thumb(page, 10).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(page.getByText("Moved to position 9 of 10.")).toBeAttached();
  await expect(thumb(page, 9)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(thumb(page, 8)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("Describe photo 8 of 10")).toHaveValue("Colour 8");
  // By buttons: the eighth to the seventh position and back.
  await button(page, "Move earlier").click();
  await expect(page.getByLabel("Describe photo 7 of 10")).toHaveValue("Colour 8");
  await button(page, "Move later").click();

  // By mouse: the first is dropped on the third.
  const [from, to] = [await centreOf(thumb(page, 1)), await centreOf(thumb(page, 3))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText("Moved to position 3 of 10.")).toBeAttached();

  await page.getByLabel("Write a Caption").fill("Ten colours");
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  const order = [2, 3, 1, 4, 5, 6, 7, 8, 10, 9].map((number) => `Colour ${number}`);
  expect(await altsOf(page, writer.username, 1)).toEqual(order);
  await page.goto(`/post/${writer.username}/1`);
  const row = page.getByRole("list", { name: "10 photos" });
  await expect(row.getByRole("img").first()).toHaveAttribute("alt", "Colour 2");
  await expectDrawn(row.getByRole("img", { name: "Colour 2", exact: true }));
});

test("on a phone a finger sorts after a moment's hold, and Post stays in reach", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Fin", secondName: "Ger" });
  const page = await open(writer, { viewport: phone, hasTouch: true });
  await page.goto("/upload");
  await picker(page).setInputFiles(await photos(3));
  await expectSent(page, 3);
  await expect(button(page, "Post")).toBeInViewport({ ratio: 1 });
  await expect(button(page, "Take a photo")).toBeVisible();
  await describe(page, 1, "First");
  await thumb(page, 1).scrollIntoViewIfNeeded();
  const [from, to] = [await centreOf(thumb(page, 1)), await centreOf(thumb(page, 3))];
  const devtools = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", at: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: at });
  await send("touchStart", [from]);
  await expect(strip(page).locator("[data-dragged]")).toHaveCount(1);
  await send("touchMove", [{ x: (from.x + to.x) / 2, y: to.y }]);
  await send("touchMove", [to]);
  await send("touchEnd", []);
  await expect(page.getByText("Moved to position 3 of 3.")).toBeAttached();
  await expect(page.getByLabel("Describe photo 3 of 3")).toHaveValue("First");
  await expectNoSidewaysScroll(page);
  expect(await axeFinds(page)).toEqual([]);
});

test("a broken photo among good ones costs only itself, and of more than ten the first are taken", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Bro", secondName: "Ken" });
  const page = await open(writer);
  await switchReminder(page);
  await page.goto("/upload");
  const good = await photos(10);
  const whole = (await plainPhoto("#888888", 1200, 900)).buffer;
  const corrupted = samplePhoto("corrupted.jpg") ?? {
    name: "corrupted.jpg",
    mimeType: "image/jpeg",
    buffer: whole.subarray(0, whole.length / 2),
  };
  await picker(page).setInputFiles(good.slice(0, 2));
  if (typeof corrupted === "string") await picker(page).setInputFiles(corrupted);
  else await picker(page).setInputFiles([corrupted]);
  await picker(page).setInputFiles(good.slice(2, 5));
  await expect(page.getByText("Photo 3: We couldn't read this picture.")).toBeVisible();
  await expectSent(page, 6);
  await button(page, "Post").click();
  await expect(page.getByText("One of your photos didn't upload.")).toBeVisible();
  await button(page, "Remove it").click();
  await expect(strip(page).locator("[data-sort-id]")).toHaveCount(5);

  await picker(page).setInputFiles(good.slice(3));
  await expect(page.getByText("The first 10 are here, 2 were left out.")).toBeVisible();
  await expectSent(page, 10);
  await button(page, "Post").click();
  await expect(page.getByText("None of them has a description.")).toBeVisible();
  await button(page, "Add descriptions").click();
  await expect(page.getByLabel("Describe photo 1 of 10")).toBeFocused();
  await page.keyboard.type("A colour");
  await button(page, "Post").click();
  await expect(page.getByText("9 of 10 lack a description.")).toBeVisible();
  await button(page, "Post anyway").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  expect(await altsOf(page, writer.username, 1)).toEqual([
    "A colour",
    ...Array<string>(9).fill(""),
  ]);
});

test("photos are published without a question; with the reminder on there is one, until it is off again", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Re", secondName: "Minded" });
  const page = await open(writer, { viewport: phone });
  const posted = /\/\?posted=\d+$/;
  const choose = async () => {
    await page.goto("/upload");
    await picker(page).setInputFiles(await photos(1));
    await button(page, "Post").click();
  };
  await page.goto("/settings");
  await expect(page.getByLabel("Remind me to describe photos")).not.toBeChecked();
  await choose();
  await expect(page).toHaveURL(posted);
  await expect(page.getByText("Describe your photo?")).toHaveCount(0);

  await switchReminder(page);
  await choose();
  await expect(page.getByText("Describe your photo?")).toBeVisible();
  await button(page, "Post anyway").click();
  await expect(page).toHaveURL(posted);

  // The same switch as a plain form.
  const plain = await open(writer, { javaScriptEnabled: false, viewport: phone });
  await plain.goto("/settings");
  const reminder = plain.getByLabel("Remind me to describe photos");
  await expect(reminder).toBeChecked();
  await reminder.uncheck();
  await plain.locator("form", { has: reminder }).getByRole("button", { name: "Apply" }).click();
  await expect(plain.getByLabel("Remind me to describe photos")).not.toBeChecked();
  await choose();
  await expect(page).toHaveURL(posted);
  await expect(page.getByText("Describe your photo?")).toHaveCount(0);
});

test("without scripts three photos are posted, and a refused one keeps the others", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Plain", secondName: "Set" });
  const page = await open(writer, { javaScriptEnabled: false, expects: /status of 4\d\d/ });
  const good = await photos(3);
  const svg = { name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Three by hand");
  await page.getByLabel("Describe the photo").fill("The first");
  await picker(page).setInputFiles([...good.slice(0, 2), svg]);
  await button(page, "Post").click();
  await expect(page.getByText("a.svg: We can't use this file.")).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("Three by hand");
  await expect(page.getByLabel("Describe photo 1")).toHaveValue("The first");
  await page.getByLabel("Describe photo 2").fill("The second");
  await picker(page).setInputFiles(good.slice(2));
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  expect(await altsOf(page, writer.username, 1)).toEqual(["The first", "The second", ""]);
});

const sampleNames = ["gps-1", "gps-2", "gps-3", "phone-12mp", "workshop", "gain-map", "cmyk"]
  .concat(["orientation-landscape-6", "orientation-portrait-8"])
  .map((name) => `${name}.jpg`)
  .concat("phone.heic");
const samples = sampleNames.flatMap((name) => samplePhoto(name) ?? []);
const brokenSample = samplePhoto("corrupted.jpg");

for (const [name, viewport] of Object.entries({ phone, desktop })) {
  test(`on a ${name}: every sample photograph is published in two posts, upright and without its location; the broken one is refused alone`, async ({
    open,
    postcard,
  }) => {
    // Twenty photographs, some of them large: the machine has other things to do.
    test.setTimeout(300_000);
    test.skip(samples.length === 0, "There are no sample photographs beside the repository");
    const writer = await addMember(postcard, { firstName: "All", secondName: "Samples" });
    const page = await open(writer, { viewport, expects: /status of 4(04|22)/ });
    const half = Math.ceil(samples.length / 2);
    for (const [index, files] of [samples.slice(0, half), samples.slice(half)].entries()) {
      await page.goto("/upload");
      const broken = index === 0 ? [brokenSample].flatMap((file) => file ?? []) : [];
      await picker(page).setInputFiles([...files, ...broken]);
      await expectSent(page, files.length + broken.length);
      if (broken.length > 0) {
        await expect(page.getByText(/: We couldn't read this picture/)).toHaveCount(1);
        await page.getByText("Remove it").click();
      }
      await button(page, "Post").click();
      await expect(page).toHaveURL(/\/\?posted=\d+$/);
      await page.goto(`/post/${writer.username}/${index + 1}`);
      const row = page.getByRole("list", { name: `${files.length} photos` });
      const answer = await page.request.get(`/api/posts/${writer.username}/${index + 1}`);
      const { pictures } = (await answer.json()) as {
        pictures: { width: number; height: number }[];
      };
      expect(pictures).toHaveLength(files.length);
      const shown = await row.locator("img[srcset]").all();
      expect(shown).toHaveLength(files.length);
      for (const [at, file] of files.entries()) {
        const photo = shown[at];
        if (!photo) throw new Error(`${file} is not shown`);
        await photo.scrollIntoViewIfNeeded();
        await expectDrawn(photo);
        for (const { url, bytes } of await servedVariants(photo)) {
          expect(await locationIn(bytes), url).toBeNull();
        }
        const { width = 0, height = 0 } = pictures[at] ?? {};
        // Upright in the camera, whichever way its sensor lay.
        const upright = /portrait|heic/.test(file) ? height > width : width > height;
        expect(upright, file).toBe(true);
      }
    }
  });
}
