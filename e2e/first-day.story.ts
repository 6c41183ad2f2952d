import type { Browser, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { addMember, post, type Member } from "./support/members.ts";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import {
  desktop,
  enterAs,
  expect,
  expectNoSidewaysScroll,
  phone,
  test,
} from "./support/stories.ts";

// A separate server, on which nobody is yet.
test.describe.configure({ mode: "serial", timeout: 120_000 });

let server: PostcardServer;
let opal: Member;

test.beforeAll(async () => {
  server = await startPostcard();
});
test.afterAll(() => server.stop());

async function open(
  browser: Browser,
  who: Member | null,
  options: Parameters<typeof enterAs>[3] = {},
): Promise<Page> {
  const context = await enterAs(browser, server.url, who, options);
  return context.newPage();
}

const alive = (page: Page) => expect(page.locator("html[data-alive]")).toHaveCount(1);
const card = (page: Page) => page.getByRole("region", { name: "You're the first one here" });
const row = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });

for (const theme of ["light", "synthwave"] as const) {
  for (const viewport of [phone, desktop]) {
    test(`the front page of an empty place promises nothing and fits at ${viewport.width} in ${theme}`, async ({
      browser,
    }) => {
      const page = await open(browser, null, { theme, viewport });
      await page.goto("/");
      await alive(page);
      await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
      await expect(page.getByText("people you know")).toHaveCount(0);
      expect(await axeFinds(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      if (viewport === phone) return;
      const drawing = await page.locator("main section > svg").boundingBox();
      expect(drawing).toMatchObject({ width: 420, height: 420 });
      const middle = (drawing?.y ?? 0) + 210;
      expect(Math.abs(middle - viewport.height / 2)).toBeLessThan(2);
    });
  }
}

test("the very first member is shown what to do, and Search says that no one else is here", async ({
  browser,
}) => {
  opal = await addMember(server.url, { firstName: "Opal", secondName: "Operator" });
  const page = await open(browser, opal);
  await page.goto("/");
  await alive(page);
  await expect(card(page).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByText("No mail yet")).toHaveCount(0);
  await expect(
    row(page, "Send the first postcard").getByRole("link", { name: "Post" }),
  ).toBeVisible();
  await expect(row(page, "Share this place")).toContainText(server.url);
  for (const each of await card(page).getByRole("listitem").all()) {
    expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(64);
  }
  await page.goto("/search");
  await alive(page);
  await expect(page.getByText("No one else yet.")).toBeVisible();
  await expect(page.getByText("Share this place.")).toContainText(server.url);
});

test("whoever is no operator shares the address: by the device's sheet, or copied", async ({
  browser,
}) => {
  const page = await open(browser, opal, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto("/");
  await alive(page);
  await page.evaluate(() => Object.assign(navigator, { share: undefined }));
  const share = page.getByRole("button", { name: "Share", exact: true });
  // The card's own script may come a moment after the page's.
  await expect(async () => {
    await share.click();
    await expect(page.getByText("Link copied").first()).toBeVisible({ timeout: 2000 });
  }).toPass();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/`);
  await page.evaluate(() => {
    Object.assign(navigator, {
      share: async (shared: ShareData) => {
        document.title = `Shared ${shared.url}`;
      },
    });
  });
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page).toHaveTitle(`Shared ${server.url}/`);

  const plain = await open(browser, opal, { javaScriptEnabled: false });
  await plain.goto("/");
  await expect(row(plain, "Share this place")).toContainText(server.url);
  await expect(plain.getByRole("button", { name: "Share", exact: true })).toBeHidden();
});

test("an operator posts, names the place and copies an invitation, and each row is ticked", async ({
  browser,
}) => {
  await query(server.url, "update accounts set role = 'operator' where id = $1", [opal.id]);
  const page = await open(browser, opal, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto("/");
  await alive(page);
  await expect(card(page).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("img", { name: "Done" })).toHaveCount(0);
  expect(await axeFinds(page)).toEqual([]);

  // As the page for invitations, it asks for the password once in ten minutes.
  const invite = row(page, "Invite people");
  await invite.getByRole("button", { name: "Copy link" }).click();
  await invite.getByLabel("Your current password").fill("a wrong one");
  await invite.getByRole("button", { name: "Copy link" }).click();
  await expect(invite.getByText("This isn't your current password.")).toBeVisible();
  await invite.getByLabel("Your current password").fill(opal.password);
  await page.keyboard.press("Enter");
  const link = invite.getByText("/signUp?invitation=");
  await expect(link).toBeVisible();
  await expect(page.getByText("Link copied")).toBeVisible();
  const first = await page.evaluate(() => navigator.clipboard.readText());
  expect(first).toBe(await link.textContent());
  await expect(invite.getByRole("img", { name: "Done" })).toBeVisible();
  // Pressed once more it copies the same.
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await invite.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  // From now on it is one press.
  await page.reload();
  await alive(page);
  await invite.getByRole("button", { name: "Copy link" }).click();
  await expect(link).toBeVisible();
  expect(await link.textContent()).not.toBe(first);

  await row(page, "Name your place").getByRole("link", { name: "Name" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await post(server.url, opal, { caption: "The first of all." });
  await page.goto("/");
  await alive(page);
  await expect(row(page, "Name your place")).toContainText("It's called Harbour");
  await expect(page.getByRole("img", { name: "Done" })).toHaveCount(3);
  expect(await axeFinds(page)).toEqual([]);
});

test("without scripts an invitation is made by the form of the card, and shown", async ({
  browser,
}) => {
  const page = await open(browser, opal, { javaScriptEnabled: false });
  await page.goto("/");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page).toHaveURL("/operator/invitations");
  await expect(page.getByText("/signUp?invitation=")).toBeVisible();
  // With the two that were copied.
  await expect(page.getByText("Valid until")).toHaveCount(3);
});

test("with two members the card says so, and the third ends it", async ({ browser }) => {
  const second = await addMember(server.url, { firstName: "Sue", secondName: "Second" });
  const page = await open(browser, second, { viewport: desktop });
  await page.goto("/");
  await alive(page);
  const both = page.getByRole("heading", { name: "Just the two of you so far" });
  await expect(both).toBeVisible();
  await expect(page.getByRole("heading", { name: "People to follow" })).toBeVisible();
  await addMember(server.url, { firstName: "Tom", secondName: "Third" });
  await page.reload();
  await expect(page.getByText("No mail yet")).toBeVisible();
  await expect(both).toHaveCount(0);
});
