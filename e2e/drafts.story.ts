import type { Page } from "@playwright/test";
import { signUp } from "./support/members.ts";
import { phonePhoto, plainPhoto, samplePhoto } from "./support/photos.ts";
import { expect, expectNoSidewaysScroll, phone, desktop, test } from "./support/stories.ts";

const strip = (page: Page) => page.getByRole("list", { name: "Your photos" });
const picker = (page: Page) => page.locator('input[name="image"]');
const caption = (page: Page) => page.getByLabel("Write a Caption");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const openDescriptions = (page: Page) =>
  page.locator("summary", { hasText: "Describe the photo" }).click();

/** The drafts that this browser has stored. */
const storedHere = (page: Page) =>
  page.evaluate(async () => {
    const names = await indexedDB.databases();
    if (!names.some(({ name }) => name === "postcard-posts")) return { captions: [], files: 0 };
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("postcard-posts");
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(new Error("closed")));
    });
    const all = <Found>(store: string) =>
      new Promise<Found[]>((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.addEventListener("success", () => resolve(request.result as Found[]));
      });
    const drafts = await all<{ caption: string }>("drafts");
    const files = await all<Blob>("files");
    database.close();
    return { captions: drafts.map((draft) => draft.caption).toSorted(), files: files.length };
  });

const expectStored = (page: Page, captions: string[], files: number) =>
  expect.poll(() => storedHere(page)).toEqual({ captions, files });

async function postsOf(page: Page, username: string): Promise<number> {
  let posts = 0;
  while ((await page.request.get(`/api/posts/${username}/${posts + 1}`)).ok()) posts += 1;
  return posts;
}

test("words, photos, order and descriptions come back after a reload, and go when the post is out", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Dee", secondName: "Draft" });
  const page = await open(writer, { viewport: desktop });
  await page.goto("/upload");
  await caption(page).fill("Half a thought");
  const [red, blue] = [await plainPhoto("#b0413e"), await plainPhoto("#2f6fa8")];
  await picker(page).setInputFiles([red, blue]);
  await expect(strip(page).locator("[data-sort-id]")).toHaveCount(2);
  await openDescriptions(page);
  await page.getByLabel("Describe photo 1 of 2").fill("Red");
  await button(page, "Move later").click();
  await expect(page.getByLabel("Describe photo 2 of 2")).toHaveValue("Red");
  await expect(strip(page).locator("progress")).toHaveCount(0);
  await expectStored(page, ["Half a thought"], 2);
  // Nothing would be lost, so there is no question.
  page.on("dialog", (dialog) => {
    throw new Error(`The browser asked: ${dialog.type()}`);
  });
  await page.reload();
  await expect(page.getByText("Your unsent draft is back.")).toBeVisible();
  await expect(caption(page)).toHaveValue("Half a thought");
  await strip(page).getByRole("button", { name: "Photo 2 of 2" }).click();
  await expect(page.getByLabel("Describe photo 2 of 2")).toHaveValue("Red");
  // Also after following a link and coming back.
  await caption(page).fill("A whole thought");
  await page.getByRole("link", { name: "Profile" }).filter({ visible: true }).first().click();
  await expect(page).toHaveURL("/profile");
  await expectStored(page, ["A whole thought"], 2);
  await page.goBack();
  await expect(caption(page)).toHaveValue("A whole thought");

  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await expectStored(page, [], 0);
  const answer = await page.request.get(`/api/posts/${writer.username}/1`);
  const post = (await answer.json()) as { caption: string; pictures: { alt: string }[] };
  expect(post.caption).toBe("A whole thought");
  expect(post.pictures.map(({ alt }) => alt)).toEqual(["", "Red"]);
  await page.goto("/upload");
  await expect(caption(page)).toHaveValue("");
  expect(await postsOf(page, writer.username)).toBe(1);
});

test("a draft is discarded when its writer says so, and removed by a sign-out", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Gone", secondName: "Soon" });
  const page = await open(writer, { viewport: desktop, expects: /status of 401/ });
  await page.goto("/upload");
  await caption(page).fill("Not this");
  await expectStored(page, ["Not this"], 0);
  await page.reload();
  await button(page, "Discard").click();
  await button(page, "Keep it").click();
  await expect(caption(page)).toHaveValue("Not this");
  await button(page, "Discard").click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(caption(page)).toHaveValue("");
  await expectStored(page, [], 0);

  await caption(page).fill("Nobody else's");
  await picker(page).setInputFiles(await plainPhoto("#777777"));
  await expectStored(page, ["Nobody else's"], 1);
  await button(page, "Sign Out").click();
  await expect(page.getByText("Signed Out Successfully")).toBeVisible();
  await button(page, "OK").click();
  await expect(page).toHaveURL("/");
  await expectStored(page, [], 0);
});

test("words written before the scripts have loaded are stored as well", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Fast", secondName: "Fingers" });
  const page = await open(writer, { beforeScripts: true });
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto("/upload", { waitUntil: "commit" });
  await caption(page).fill("Quick");
  scripts.resolve();
  await expectStored(page, ["Quick"], 0);
  await expect(caption(page)).toHaveValue("Quick");
});

test("two tabs write two drafts, neither is lost, and one that was posted twice is out once", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Two", secondName: "Tabs" });
  const page = await open(writer);
  await page.goto("/upload");
  await caption(page).fill("One draft");
  await expectStored(page, ["One draft"], 0);
  const other = await page.context().newPage();
  await other.goto("/upload");
  await expect(caption(other)).toHaveValue("One draft");
  await caption(other).fill("Written in the other tab");
  await expectStored(page, ["Written in the other tab"], 0);
  await caption(page).fill("Written in this tab");
  await expectStored(page, ["Written in the other tab", "Written in this tab"], 0);
  await page.reload();
  await expect(caption(page)).toHaveValue("Written in this tab");
  await expect(page.getByText("One more draft is kept here.")).toBeVisible();
  await button(page, "Open it").click();
  await expect(caption(page)).toHaveValue("Written in the other tab");

  // Both tabs have the same draft now, unchanged: both publish it, and it is published once.
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await button(other, "Post").click();
  await expect(other).toHaveURL(/\/\?posted=\d+$/);
  expect(await postsOf(page, writer.username)).toBe(1);
  await expectStored(page, ["Written in this tab"], 0);
});

test("a lost answer and a reload make no second post", async ({ open, postcard }) => {
  const writer = await signUp(postcard, { firstName: "Lost", secondName: "Answer" });
  const page = await open(writer, { expects: /ERR_FAILED/ });
  await page.goto("/upload");
  await picker(page).setInputFiles(await plainPhoto("#117755"));
  await openDescriptions(page);
  await page.getByLabel("Describe the photo").fill("Green");
  await caption(page).fill("Sent, but never answered");
  await page.route("**/api/posts", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, "Post").click();
  await expect(page.locator("[role=alert]")).toContainText("We couldn't reach Postcard");
  await page.unroute("**/api/posts");
  await page.reload();
  await expect(caption(page)).toHaveValue("Sent, but never answered");
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  expect(await postsOf(page, writer.username)).toBe(1);
});

test("the line is cut in the middle of a large photo, the page is read again, and the post is out once", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Cut", secondName: "Off" });
  const page = await open(writer, { viewport: phone, expects: /ERR_FAILED|ERR_INTERNET/ });
  const sample = samplePhoto("phone-12mp.jpg");
  const photo = sample ?? (await phonePhoto());
  await page.goto("/upload");
  await caption(page).fill("Through thick and thin");
  const parts = await watchParts(page);
  await picker(page).setInputFiles(photo);
  await openDescriptions(page);
  await page.getByLabel("Describe the photo").fill("From a phone");
  await expect(page.getByText("Waiting for the connection")).toBeVisible();
  expect(parts.cut).toBe(true);
  await expectStored(page, ["Through thick and thin"], 1);
  await page.reload();
  await expect(page.getByText("Your unsent draft is back.")).toBeVisible();
  await expect(page.getByText("Waiting for the connection")).toBeVisible();
  parts.cut = false;
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/, { timeout: 60_000 });
  expect(await postsOf(page, writer.username)).toBe(1);
  // Every byte was sent once, even of the part whose answer was lost.
  expect(parts.bytes).toBeGreaterThan(0);
  expect(parts.sent / parts.bytes).toBeGreaterThanOrEqual(1);
  expect(parts.sent / parts.bytes).toBeLessThanOrEqual(1.05);
});

test("a failing server is distinguished from a lost connection; after a while one can go back with everything, and try again", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Fail", secondName: "Ing" });
  const page = await open(writer, { viewport: phone, expects: /status of (?:401|50[03]|507)/ });
  await page.goto("/upload");
  await caption(page).fill("Safe all the while");
  let answer = { status: 500, body: "oops", headers: {} };
  await page.route("**/api/uploads**", (route) => route.fulfill(answer));
  await picker(page).setInputFiles(await plainPhoto("#2f8fa8"));
  const failing = page.getByText("Something went wrong on our side. Trying again…");
  await expect(failing.first()).toBeVisible();
  await expect(page.getByText("Waiting for the connection")).toHaveCount(0);
  answer = { status: 503, body: "later", headers: { "Retry-After": "30" } };
  await expect(page.getByText("Postcard is busy right now. Trying again…").first()).toBeVisible();

  await button(page, "Post").click();
  const overlay = page.locator("form").getByText("Uploading", { exact: true });
  await expect(overlay).toBeVisible();
  await expect(page.getByText("Your words and photos are safe")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await button(page, "Keep editing").click();
  await expect(overlay).toHaveCount(0);
  await expect(caption(page)).toHaveValue("Safe all the while");
  await expect(page.getByText("This takes longer than it should.")).toBeVisible();

  // An error that needs a person ends the retries, with its reason and the way on.
  for (const [status, code, sentence] of [
    [507, "disk-full", "There's no room for your file right now."],
    [401, "sign-in-required", "Please sign in again."],
  ] as const) {
    const body = JSON.stringify({ error: { code, message: sentence } });
    answer = { status, body, headers: { "Content-Type": "application/json" } };
    await button(page, "Try again").click();
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await expect(page.getByRole("link", { name: "Sign in in another tab" })).toBeVisible();
  await page.unroute("**/api/uploads**");
  await button(page, "Try again").click();
  await button(page, "Post").click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  expect(await postsOf(page, writer.username)).toBe(1);
});

/**
 * Counts the upload bytes that the server gets, and cuts the connection when a third has arrived: the answer
 * of one part is lost with it.
 */
async function watchParts(page: Page) {
  const parts = { cut: false, passed: 0, sent: 0, bytes: 0 };
  await page.route("**/api/uploads/**", async (route) => {
    const request = route.request();
    const part = request.method() === "PATCH" ? (request.postDataBuffer()?.length ?? 0) : 0;
    if (parts.cut) return route.abort();
    if (part === 0) return route.continue();
    const answer = await route.fetch();
    parts.passed += 1;
    parts.sent += part;
    parts.bytes = Math.max(parts.bytes, Number(answer.headers()["upload-offset"]));
    if (parts.passed === 7) parts.cut = true;
    if (parts.cut) await route.abort();
    else await route.fulfill({ response: answer });
  });
  return parts;
}
