import type { Locator, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { shiftsOf } from "./support/layout-shift.ts";
import { addMember } from "./support/members.ts";
import { phonePhoto, plainPhoto, type Photo } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const picker = (page: Page) => page.locator('main input[name="image"]');
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const caption = (page: Page) => page.getByLabel("Write a Caption");
const sending = (page: Page) => page.locator("[data-sort-id] progress");
const chip = (page: Page) => page.getByRole("region", { name: "Your post" });
const posted = /\/\?posted=\d+$/;

test("one photo or ten: frame, strip, caption and every choice fit a phone's window, and nothing moves", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "One", secondName: "Window" });
  for (const [theme, count] of [
    ["light", 1],
    ["synthwave", 10],
  ] as const) {
    const page = await open(writer, { viewport: phone, hasTouch: true, theme });
    await page.goto("/upload");
    await shiftsOf(page);
    // Taller than any frame: it is shown whole in the frame it gets.
    const tall = await plainPhoto("#2f8f6b", 300, 900);
    const rest = await Promise.all(
      Array.from({ length: count - 1 }, (_, at) =>
        plainPhoto(`hsl(${36 * at}, 50%, 45%)`, 400, 300),
      ),
    );
    await picker(page).setInputFiles([tall, ...rest]);
    await expect(page.getByAltText("Your choice")).toBeVisible();
    await expect(sending(page)).toHaveCount(0, { timeout: 60_000 });
    expect(await shiftsOf(page)).toBeLessThanOrEqual(0.02);
    const frame = await page.getByAltText("Your choice").boundingBox();
    expect(frame?.height).toBeLessThanOrEqual(0.45 * phone.height);
    await expect(caption(page)).toBeInViewport({ ratio: 1 });
    const rows = [
      `Describe the photo${count > 1 ? "s" : ""}`,
      "Camera and place",
      "Who can see it",
    ];
    for (const row of rows) {
      const line = page.locator("summary", { hasText: row });
      await expect(line).toBeInViewport({ ratio: 1 });
      expect((await line.boundingBox())?.height).toBe(48);
    }
    await expect(page.getByLabel("Who can comment")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(`0 of ${count}`, { exact: true })).toBeVisible();
    await page.getByLabel("+ ALT, describe this photo").click();
    await expect(page.getByLabel(/^Describe (the photo|photo 1 of 10)/)).toBeFocused();
    await page.keyboard.type("A green door");
    await expect(page.getByText(`1 of ${count}`, { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    expect(await axeFinds(page)).toEqual([]);
  }
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((node) => node === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${String(element)}`);
}

async function chooseByKeys(page: Page, field: Locator, files: Photo[]): Promise<void> {
  await tabTo(page, field);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.keyboard.press("Enter"),
  ]);
  await chooser.setFiles(files);
}

test("by keys alone a visitor signs up and posts two described photos", async ({ open }) => {
  const page = await open(null, { viewport: desktop });
  // With one listener that stays, choosers are caught all the time: a key could be faster than a new one.
  page.on("filechooser", () => {});
  await page.goto("/signUp");
  await chooseByKeys(page, page.locator('input[name="picture"]'), [await plainPhoto("olive")]);
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(`${crypto.randomUUID()}@example.org`);
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type("correct horse battery 9");
  await page.keyboard.press("Enter");
  await expect(button(page, "OK")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await tabTo(page, page.getByRole("link", { name: "Post", exact: true }).first());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/upload");
  await chooseByKeys(page, picker(page), [await plainPhoto("navy"), await plainPhoto("teal")]);
  await expect(sending(page)).toHaveCount(0, { timeout: 60_000 });
  await tabTo(page, caption(page));
  await page.keyboard.type("Two doors");
  await tabTo(page, page.locator("summary", { hasText: "Describe the photos" }));
  await page.keyboard.press("Enter");
  for (const [at, alt] of ["A blue door", "A green door"].entries()) {
    await tabTo(page, page.getByLabel(`Describe photo ${at + 1} of 2`));
    await page.keyboard.type(alt);
  }
  await expect(page.getByText("2 of 2", { exact: true })).toBeVisible();
  await tabTo(page, page.locator("form").getByRole("button", { name: "Post", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(posted);
  const set = page.getByRole("region", { name: "Your new post" });
  for (const name of ["A blue door", "A green door"]) {
    await expect(set.getByRole("img", { name })).toBeAttached();
  }
});

test("a post goes on in the background, waits there where it fails, and appears once it is saved", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Back", secondName: "Ground" });
  const page = await open(writer, { viewport: phone, expects: /status of 500/ });
  const held = Promise.withResolvers<void>();
  await page.route("**/api/uploads/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.route("**/api/posts", (route) => route.fulfill({ status: 500, body: "oops" }));
  await page.goto("/upload");
  await caption(page).fill("Slowly, slowly");
  await picker(page).setInputFiles(await plainPhoto("#2f6fa8"));
  await button(page, "Post").click();
  await expect(page.getByText("Photo 1 of 1 · 0%")).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await button(page, "Continue in the background").click();
  await expect(page).toHaveURL("/");
  await expect(chip(page)).toContainText("Photo 1 of 1 · 0%");
  await expect(page.getByText("Slowly, slowly")).toHaveCount(0);
  // A new post is another one.
  await page.getByRole("navigation", { name: "Main" }).last().locator('a[href="/upload"]').click();
  await expect(caption(page)).toHaveValue("");
  await page.getByRole("link", { name: "Close", exact: true }).click();

  held.resolve();
  await expect(chip(page)).toContainText("Not posted. Something went wrong on our side");
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await page.unroute("**/api/posts");
  await chip(page).getByRole("button", { name: "Try again" }).click();
  // Nothing is pushed down under somebody who reads: one press shows it.
  await expect(chip(page)).toContainText("Posted.");
  await chip(page).getByRole("link", { name: "View" }).click();
  await expect(page).toHaveURL(posted);
  await expect(page.getByRole("region", { name: "Your new post" })).toContainText("Slowly, slowly");
  await expect(chip(page)).toHaveCount(0);
  await page.goto("/profile");
  await expect(page.getByText("1 post")).toBeVisible();
  await page.goto("/upload");
  await expect(caption(page)).toHaveValue("");
});

test("a post whose tab was closed on the way is a draft, and the next page says so", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Shut", secondName: "Early" });
  const page = await open(writer, { viewport: phone });
  await page.route("**/api/uploads/**", () => undefined);
  await page.goto("/upload");
  await caption(page).fill("Not out yet");
  await picker(page).setInputFiles(await phonePhoto());
  await button(page, "Post").click();
  await button(page, "Continue in the background").click();
  await expect(chip(page)).toBeVisible();
  const next = await page.context().newPage();
  await page.close();
  await next.goto("/");
  await expect(chip(next)).toContainText("A post of yours is not out yet.");
  await chip(next).getByRole("link", { name: "Open" }).click();
  await expect(caption(next)).toHaveValue("Not out yet");
  await expect(chip(next)).toHaveCount(0);
  // The photo is sent again, as long as that takes.
  await button(next, "Post").click();
  await expect(next).toHaveURL(posted, { timeout: 60_000 });
});

test("what was chosen a moment before the page is left is in the draft", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Last", secondName: "Second" });
  const page = await open(writer, { viewport: phone });
  await page.goto("/upload");
  await caption(page).fill("For later");
  await page.evaluate(() => {
    document.querySelector<HTMLInputElement>('[name="audience"][value="only-me"]')?.click();
    location.assign("/settings");
  });
  await expect(page).toHaveURL("/settings");
  await page.goto("/upload");
  await expect(caption(page)).toHaveValue("For later");
  await expect(page.getByText("Only you can see it.")).toBeVisible();
});
