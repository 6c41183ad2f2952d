import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, postSet, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const viewports = { phone, desktop };

async function people(url: string) {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Arachne" });
  const bob = await addMember(url, { firstName: "Bob", secondName: "Beholds" });
  await follow(url, bob, ana);
  // Other stories look at what everybody is shown.
  const answer = await fetch(`${url}/calls/settings`, {
    method: "POST",
    headers: { Origin: url, cookie: ana.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ showInExplore: false }),
  });
  expect(answer.ok).toBe(true);
  return { ana, bob };
}

/** A post of two photos with a warning, and the keys of its photos. */
async function warned(url: string, member: Member, warning = "Spiders, large") {
  const photos = [
    { photo: await plainPhoto("#5b8c6e", 800, 600), alt: "A tarantula" },
    { photo: await plainPhoto("#7a3f3f", 800, 600), alt: "" },
  ];
  const path = await postSet(url, member, { caption: "It bites", photos, warning });
  const answer = await fetch(`${url}${path.replace("/post/", "/api/posts/")}`);
  const { pictures } = (await answer.json()) as { pictures: { key: string }[] };
  return { path, keys: pictures.map(({ key }) => key) };
}

/** The photos among these that the page asked for, in its whole life. */
function askedFor(page: Page, keys: readonly string[]): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    asked.push(...keys.filter((key) => request.url().includes(key)));
  });
  return asked;
}

const photos = (page: Page, keys: readonly string[]) =>
  page.locator(keys.map((key) => `img[src*="${key}"]`).join());

for (const [name, viewport] of Object.entries(viewports)) {
  test(`nothing of a photo with a content warning is loaded before somebody asks, and then for the visit, on a ${name}`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const { path, keys } = await warned(postcard, ana);
    const page = await open(bob, { viewport });
    const asked = askedFor(page, keys);
    const show = page.getByRole("button", { name: "Show this post" });
    const veiled = async (address: string) => {
      await page.goto(address);
      await expect(page.getByText("Spiders, large").first()).toBeVisible();
      await expect(page.getByText("It bites")).toHaveCount(0);
      await expect(photos(page, keys)).toHaveCount(0);
      expect(await axeFinds(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
    };
    await veiled(`/search/${ana.id}`);
    await veiled(path);
    await veiled("/");
    expect(asked).toEqual([]);

    await show.focus();
    await page.keyboard.press("Space");
    await expect(photos(page, keys).first()).toBeVisible();
    await expect(page.getByText("It bites")).toBeVisible();
    await expect(page.getByText("Spiders, large")).toBeVisible();
    const hide = page.getByRole("button", { name: "Hide this post" });
    await expect(hide).toBeFocused();
    expect(await axeFinds(page)).toEqual([]);

    // For the visit: on its page, which is another document, and in the grid.
    await page.goto(path);
    await expect(photos(page, keys).first()).toBeVisible();
    await page.goto(`/search/${ana.id}`);
    await expect(photos(page, keys).first()).toBeVisible();
    await page.goto("/");
    await hide.click();
    await expect(photos(page, keys)).toHaveCount(0);
    await expect(show).toBeFocused();
    await page.reload();
    await expect(show).toBeVisible();
    const another = await open(bob, { viewport });
    await another.goto(path);
    await expect(another.getByRole("button", { name: "Show this post" })).toBeVisible();
  });

  test(`without scripts Show leads to the post with its photos, and nobody else's link does, on a ${name}`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const { path, keys } = await warned(postcard, ana);
    for (const who of [bob, null]) {
      const page = await open(who, { viewport, javaScriptEnabled: false });
      const asked = askedFor(page, keys);
      await page.goto(`${path}?show`);
      await expect(page.getByText("Spiders, large")).toBeVisible();
      await expect(page.getByText("It bites")).toHaveCount(0);
      await page.goto(who ? "/" : path);
      await expect(page.getByText("It bites")).toHaveCount(0);
      expect(asked).toEqual([]);
      await page.getByRole("button", { name: "Show this post" }).click();
      await expect(page).toHaveURL(`${path}?show`);
      await expect(page.getByText("It bites")).toBeVisible();
      await expect(photos(page, keys).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await page.getByRole("button", { name: "Hide this post" }).click();
      await expect(page.getByText("It bites")).toHaveCount(0);
    }
  });

  for (const scripts of [true, false]) {
    test(`on a ${name} ${scripts ? "with" : "without"} scripts: an author warns, is told what is too long, and takes it back`, async ({
      open,
      postcard,
    }) => {
      const { ana, bob } = await people(postcard);
      const page = await open(ana, {
        viewport,
        javaScriptEnabled: scripts,
        expects: /status of 400/,
      });
      await page.goto("/upload");
      const row = page.getByText("Content warning");
      const field = page.getByLabel("What should people know first?");
      const send = page.getByRole("button", { name: "Post", exact: true });
      await page.getByLabel("Write a Caption").fill("It bites");
      await row.click();
      await field.fill("x".repeat(203));
      if (scripts) expect(await axeFinds(page)).toEqual([]);
      await send.click();
      await expect(page.getByText("this is 3 too many")).toBeVisible();
      await expect(field).toBeVisible();
      await expect(field).toHaveValue("x".repeat(203));
      await expect(page.getByLabel("Write a Caption")).toHaveValue("It bites");
      await field.fill("x".repeat(200));
      await expectNoSidewaysScroll(page);
      await send.click();
      await expect(page).not.toHaveURL(/upload/);

      const path = `/post/${ana.username}/1`;
      const reader = await open(bob, { viewport, javaScriptEnabled: scripts });
      await reader.goto("/");
      await expect(reader.getByText("x".repeat(200))).toBeVisible();
      await expect(reader.getByText("It bites")).toHaveCount(0);
      await expectNoSidewaysScroll(reader);

      await page.goto(`${path}/edit`);
      await row.click();
      await expect(field).toHaveValue("x".repeat(200));
      await expect(page.getByLabel("Hide the photos even without a warning")).not.toBeChecked();
      await field.fill("");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page).toHaveURL(path);
      // Words alone have no photos to hide.
      await reader.goto("/");
      await expect(reader.getByText("It bites")).toBeVisible();
      await page.goto(`${path}/versions`);
      await expect(page.getByText("x".repeat(200))).toBeVisible();
    });
  }
}

test("a draft brings its content warning back", async ({ open, postcard }) => {
  const { ana } = await people(postcard);
  const page = await open(ana);
  await page.goto("/upload");
  await page.getByText("Content warning").click();
  const field = page.getByLabel("What should people know first?");
  await field.fill("Spiders");
  await page.getByLabel("Hide the photos even without a warning").check();
  await page.goto("/");
  await page.goto("/upload");
  await expect(page.getByText("Your unsent draft is back.")).toBeVisible();
  await page.getByText("Content warning").click();
  await expect(field).toHaveValue("Spiders");
  await expect(page.getByLabel("Hide the photos even without a warning")).toBeChecked();
});

for (const scripts of [true, false]) {
  test(`who always wants to see what has a content warning says so once, ${scripts ? "with" : "without"} scripts`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const { keys } = await warned(postcard, ana);
    await post(postcard, ana, { caption: "Without a photo" });
    const page = await open(bob, { javaScriptEnabled: scripts });
    await page.goto("/settings");
    await page.getByLabel("Always show photos with a content warning").check();
    if (!scripts) await page.getByRole("button", { name: "Keep" }).click();
    await expect(async () => {
      await page.goto("/");
      await expect(photos(page, keys).first()).toBeVisible({ timeout: 2000 });
    }).toPass();
    await expect(page.getByText("Spiders, large")).toBeVisible();
    await expect(page.getByText("It bites")).toBeVisible();
    await expect(page.getByRole("button", { name: "Show this post" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Hide this post" })).toHaveCount(0);
  });
}

test("a warning of right-to-left words stands at their side", async ({ open, postcard }) => {
  const { ana, bob } = await people(postcard);
  await warned(postcard, ana, "تحذير: عناكب كبيرة");
  const page = await open(bob);
  await page.goto("/");
  const words = page.getByText("تحذير: عناكب كبيرة");
  await expect(words).toHaveCSS("direction", "rtl");
  await expectNoSidewaysScroll(page);
});
