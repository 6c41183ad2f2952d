import { axeFinds } from "./support/axe.ts";
import { follow, post, postSet, signUp } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

async function people(postcard: string) {
  const ana = await signUp(postcard, { firstName: "Ana", secondName: "Amend" });
  const bob = await signUp(postcard, { firstName: "Bob", secondName: "Browse" });
  await follow(postcard, bob, ana);
  return { ana, bob };
}

async function twoPhotos() {
  return [
    { photo: await plainPhoto("#7a2e2e", 600, 600), alt: "Red" },
    { photo: await plainPhoto("#2e7a3a", 600, 600), alt: "" },
  ];
}

for (const [name, viewport] of Object.entries({ phone, desktop })) {
  test(`on a ${name}: words and photos are edited, everybody sees it as it happens, its author what it said before`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const path = await postSet(postcard, ana, { photos: await twoPhotos(), caption: "Teh sea" });
    const page = await open(ana, { viewport, expects: /status of 4\d\d/ });
    const [home, postPage] = [await open(bob, { viewport }), await open(bob, { viewport })];
    await home.goto("/");
    await postPage.goto(path);
    for (const other of [home, postPage]) await expect(other.getByText("Teh sea")).toBeVisible();

    await page.goto(path);
    await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Edit post" })).toBeVisible();
    expect(await axeFinds(page)).toEqual([]);
    if (viewport === desktop) {
      // Save is below the words, not below the photos.
      const [save, caption] = [
        page.getByRole("button", { name: "Save" }),
        page.getByLabel("Caption"),
      ];
      expect((await save.boundingBox())!.x).toBeGreaterThan((await caption.boundingBox())!.x);
    }
    await page.getByLabel("Caption").fill("The sea");
    const thumb = (at: number) => page.getByRole("button", { name: new RegExp(`^Photo ${at} of`) });
    await thumb(2).click();
    await page.getByLabel("Describe photo 2 of 2").fill("Green");
    await thumb(2).focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(page.getByLabel("Describe photo 1 of 2")).toHaveValue("Green");
    // Several at once; the broken one fails alone.
    const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no photo") };
    await page
      .getByLabel("Add photos")
      .and(page.locator("input"))
      .first()
      .setInputFiles([
        await plainPhoto("#2e3a7a", 600, 600),
        broken,
        await plainPhoto("#7a6a2e", 600, 600),
      ]);
    await expect(page.getByText("Photo 4: We can't use this file.")).toBeVisible();
    await page.getByLabel("Describe photo 3 of 5").fill("Blue");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("One of your photos didn't upload.")).toBeVisible();
    await page.getByRole("button", { name: "Remove it" }).click();
    await thumb(4).click();
    await page.getByLabel("Describe photo 4 of 4").fill("Yellow");
    await thumb(2).click();
    await page.getByRole("button", { name: "Remove photo 2" }).click();
    await expect(page.getByLabel("Caption")).toHaveValue("The sea");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page).toHaveURL(path);

    for (const shown of [page, home, postPage]) {
      await expect(shown.getByText("The sea")).toBeVisible();
      await expect(shown.getByText("Teh sea")).toHaveCount(0);
      await expect(shown.locator("article time", { hasText: "Edited" })).toHaveAttribute(
        "title",
        /\d/,
      );
      await expect(shown.locator("article").getByRole("img", { name: "Green" })).toBeVisible();
      await expect(shown.locator("article").getByRole("img", { name: "Blue" })).toBeAttached();
      await expect(shown.locator("article").getByRole("img", { name: "Yellow" })).toBeAttached();
      await expect(shown.locator("article").getByRole("img", { name: "Red" })).toHaveCount(0);
    }
    await expect(postPage.getByRole("link", { name: "Edited" })).toHaveCount(0);
    await page.getByRole("link", { name: "Edited" }).click();
    await expect(page.getByRole("heading", { name: "Earlier versions" })).toBeVisible();
    await expect(page.getByText("Teh sea")).toBeVisible();
    expect(await axeFinds(page)).toEqual([]);
  });
}

test("without scripts a post is edited step by step, and the menu leads to pages", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  const path = await postSet(postcard, ana, { photos: await twoPhotos(), caption: "Teh sea" });
  const page = await open(ana, { javaScriptEnabled: false, expects: /status of 4\d\d/ });
  await page.goto(path);
  await page.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const plain = page.getByRole("list", { name: "Photos", exact: true });
  await page.getByLabel("Caption").fill("The sea");
  await plain.getByLabel("Describe photo 2").fill("Green");
  await page.getByRole("button", { name: "Move photo 2 up" }).click();
  await expect(plain.getByLabel("Describe photo 1")).toHaveValue("Green");
  await page
    .getByLabel("Add photos")
    .and(page.locator("input:visible"))
    .setInputFiles([
      await plainPhoto("#2e3a7a", 600, 600),
      { name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
    ]);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("a.svg: We can't use this file.")).toBeVisible();
  await plain.getByLabel("Describe photo 3").fill("Blue");
  await page.getByRole("checkbox", { name: "Remove photo 2" }).check();
  await expect(page.getByLabel("Caption")).toHaveValue("The sea");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByText("The sea")).toBeVisible();
  const images = page.locator("article").getByRole("list", { name: "2 photos" }).getByRole("img");
  await expect(images.and(page.getByAltText("Green"))).toHaveCount(1);
  await expect(images.and(page.getByAltText("Blue"))).toHaveCount(1);

  // removing everything is refused, with everything left as it was
  await page.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Caption").fill("");
  for (const number of [1, 2]) {
    await page.getByRole("checkbox", { name: `Remove photo ${number}` }).check();
  }
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Add a photo or write something")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Remove photo 2" })).toBeChecked();

  const reader = await open(bob, { javaScriptEnabled: false });
  await reader.goto("/");
  const dots = reader.getByRole("button", { name: "Options for this post by Ana Amend" });
  await dots.click();
  // A card's menu leads to the post's page, whose menu has everything.
  await reader.locator(":popover-open").getByRole("link", { name: "Open this post" }).click();
  await dots.click();
  await expect(reader.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
  await reader.getByRole("link", { name: "Block", exact: true }).click();
  await expect(reader.getByLabel("Block", { exact: true })).toBeChecked();
});

test("an edit from an outdated second tab is refused, keeps what was typed, and can be saved after a look", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const path = await post(postcard, ana, { caption: "First" });
  const [one, two] = [await open(ana), await open(ana, { expects: /status of 409/ })];
  for (const tab of [one, two]) await tab.goto(`${path}/edit`);
  await one.getByLabel("Caption").fill("Second");
  await one.getByRole("button", { name: "Save" }).click();
  await expect(one).toHaveURL(path);
  await two.getByLabel("Caption").fill("Third");
  await two.getByRole("button", { name: "Save" }).click();
  await expect(two.getByText("This post has changed since you opened it here")).toBeVisible();
  await expect(two.getByRole("figure")).toContainText("Second");
  await expect(two.getByLabel("Caption")).toHaveValue("Third");
  expect(await axeFinds(two)).toEqual([]);
  await two.getByRole("button", { name: "Save" }).click();
  await expect(two).toHaveURL(path);
  await expect(two.getByText("Third")).toBeVisible();
});

test("what was typed into an edit stays when the connection or the session is lost", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const path = await post(postcard, ana, { caption: "First" });
  const page = await open(ana, { expects: /ERR_INTERNET_DISCONNECTED|status of 401/ });
  await page.goto(`${path}/edit`);
  const caption = page.getByLabel("Caption");
  await caption.fill("Typed in the dark");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert").getByText("We couldn't reach Postcard")).toBeVisible();
  await page.context().setOffline(false);
  await expect(caption).toHaveValue("Typed in the dark");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("link", { name: "Sign in in another tab" })).toBeVisible();
  await page.context().addCookies(cookies);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByText("Typed in the dark")).toBeVisible();
});

test("a post's menu opens and closes by keyboard, and has what its reader may do", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  const path = await post(postcard, ana, { caption: "Menu of the day" });
  const page = await open(bob, { viewport: desktop });
  await page.goto("/");
  const dots = page.getByRole("button", { name: "Options for this post by Ana Amend" });
  const entries = page.locator("article [popover] a");
  await dots.focus();
  await page.keyboard.press("Enter");
  const others = ["Add to a collection", "Copy link", "Mute", "Block", "Report"];
  await expect(entries).toHaveText(others);
  expect(await axeFinds(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(entries.first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(entries.first()).toBeHidden();
  await expect(dots).toBeFocused();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dots.click();
  await page.getByRole("link", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${postcard}${path}`);

  const visitor = await open(null);
  await visitor.goto(path);
  await visitor.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
  await expect(visitor.locator("article [popover] a")).toHaveText(["Copy link"]);

  const own = await open(ana);
  await own.goto(path);
  await own.getByRole("button", { name: "Options for this post by Ana Amend" }).click();
  const owns = ["Edit", "Share with a guest", "Add to a collection", "Who can see it", "Copy link"];
  await expect(own.locator("article [popover] a")).toHaveText(owns);
  // Deleting has a button in the row itself.
  await own.keyboard.press("Escape");
  await own.getByRole("button", { name: "Delete", exact: true }).click();
  await own.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(own).toHaveURL("/profile");
});
