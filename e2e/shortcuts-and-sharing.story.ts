import { AxeBuilder } from "@axe-core/playwright";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, test } from "./support/stories.ts";

test("keys go from post to post, like, open and lead everywhere; never while one types", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Key", secondName: "Board" });
  const reader = await addMember(postcard, { firstName: "No", secondName: "Mouse" });
  for (let note = 1; note <= 6; note += 1) {
    await post(postcard, writer, { caption: `Key ${note}.`, photo: await plainPhoto("#446688") });
  }
  await follow(postcard, reader, writer);
  const page = await open(reader, { viewport: desktop });
  await page.goto("/");
  const posts = page.getByRole("article");
  await page.keyboard.press("j");
  await expect(posts.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(posts.nth(2)).toBeFocused();
  await page.keyboard.press("k");
  await expect(posts.nth(1)).toBeFocused();
  await expect(posts.nth(1)).toBeInViewport();
  await expect(posts.nth(1)).toHaveCSS("outline-style", "solid");
  await expect(posts.nth(0)).toHaveCSS("outline-style", "none");
  // Scrolled elsewhere since: the key's effect comes into view.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(posts.nth(1)).not.toBeInViewport();
  await page.keyboard.press("l");
  await expect(posts.nth(1)).toContainText("1 like");
  await expect(posts.nth(0)).toContainText("0 likes");
  await expect(posts.nth(1)).toBeInViewport();
  await page.keyboard.press("s");
  await expect(posts.nth(1).getByRole("button", { name: "UnSave" })).toBeVisible();
  await expect(posts.nth(0).getByRole("button", { name: "UnSave" })).toHaveCount(0);
  await page.keyboard.press("o");
  await expect(page).toHaveURL(/\/post\/key_board\w*\/5$/);

  const comment = page.getByLabel("Leave a comment");
  await page.keyboard.press("c");
  await expect(comment).toBeFocused();
  await comment.fill("");
  await comment.pressSequentially("jkl?/ng");
  await expect(comment).toHaveValue("jkl?/ng");
  await expect(page).toHaveURL(/\/post\//);
  await comment.blur();
  await page.keyboard.press("Control+n");
  await page.keyboard.press("n");
  await expect(page).toHaveURL("/upload");
  await page.keyboard.press("/");
  await expect(page).toHaveURL("/search");
  await expect(page.locator("main input[type=search]")).toBeFocused();
  await page.locator("main input[type=search]").blur();
  for (const [key, path] of [
    ["s", "/saved"],
    ["p", "/profile"],
    ["n", "/notifications"],
    ["c", "/chat"],
    ["e", "/settings"],
    ["h", "/"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(path);
  }
});

test("? opens the sheet of keys, which can also turn them off", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Help", secondName: "Sheet" });
  const page = await open(member, { viewport: desktop });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto("/settings");
  expect(loaded.filter((url) => /help-sheet|act-on|dialog/.test(url))).toEqual([]);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const does of ["Next post", "Save the post", "Comment on the post"]) {
    await expect(sheet).toContainText(does);
  }
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .include("dialog")
    .analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  // Keys do nothing while it is open.
  await page.keyboard.press("n");
  await sheet.getByLabel("Shortcuts on").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await expect(sheet).toBeVisible();
  // Closed, and opened again before the browser has reported that it closed.
  await page.evaluate(() => {
    document.querySelector("dialog")?.close();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
  });
  await expect(page.locator("dialog:not([open])")).toHaveCount(0);
  await sheet.getByLabel("Shortcuts on").check();
  await expect(page).toHaveURL("/settings");
  await sheet.getByRole("button", { name: "OK" }).click();
  await page.keyboard.press("n");
  await expect(page).toHaveURL("/upload");
});

test("Share hands a post to the device, or copies its address and says so", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Share", secondName: "Holder" });
  const path = await post(postcard, writer, { caption: "Pass it on." });
  const page = await open(null, { permissions: ["clipboard-read", "clipboard-write"] });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "share", { configurable: true, value: undefined });
  });
  await page.goto(path);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await clipboard()).toBe(postcard + path);
  await page.goto(`/search/${writer.id}`);
  await page.getByRole("button", { name: "Share", exact: true }).first().click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await clipboard()).toBe(`${postcard}/search/${writer.id}`);

  // On plain http at home scripts have no clipboard.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined });
  });
  await page.getByRole("link", { name: "Words" }).click();
  await page.getByRole("article").getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByText("Link copied")).toBeVisible();

  const phone = await open(null);
  await phone.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, "share", {
      configurable: true,
      value: async (what: unknown) => void shared.push(what),
    });
  });
  await phone.goto(path);
  await phone.getByRole("button", { name: "Share", exact: true }).click();
  await expect
    .poll(() => phone.evaluate(() => (window as unknown as { shared: unknown[] }).shared))
    .toEqual([{ title: "Post by Share Holder", url: postcard + path }]);
  await expect(phone.getByText("Link copied")).toHaveCount(0);
});

test("without scripts Share leads to the post, whose address the browser shows", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Bare", secondName: "Share" });
  const path = await post(postcard, writer, { caption: "Plain." });
  const page = await open(null, { javaScriptEnabled: false });
  await page.goto(`/search/${writer.id}?tab=texts`);
  await page.getByRole("article").getByRole("button", { name: "Share", exact: true }).click();
  await expect(page).toHaveURL(path);
});
