import type { Locator, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { addMember, enter, follow, post, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(
      names.map(async (name) => await (await caches.open(name)).keys()),
    );
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

const expectOfflineFeed = (page: Page) =>
  expect.poll(() => kept(page)).toEqual(expect.arrayContaining(["/kept/feed", "/kept/notice"]));

/** The connection is lost: for the page, its worker and every reload. */
const offlineComplaints = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported|route module/;

async function feedOf(postcard: string): Promise<{ reader: Member; writer: Member; path: string }> {
  const writer = await addMember(postcard, { firstName: "Wanda", secondName: "Waves" });
  const reader = await addMember(postcard, { firstName: "Ria", secondName: "Reader" });
  await follow(postcard, reader, writer);
  const photo = await plainPhoto("#2f6f8f", 900, 600);
  const path = await post(postcard, writer, { caption: "Low tide at noon", photo });
  return { reader, writer, path };
}

test("reloaded without a line home is the last feed, read-only; other pages say what is missing; both come back", async ({
  open,
  postcard,
}) => {
  const { reader, writer } = await feedOf(postcard);
  const page = await open(reader, { serviceWorkers: "allow", expects: offlineComplaints });
  await page.goto("/");
  await expectOfflineFeed(page);

  await page.context().setOffline(true);
  await page.reload();
  const line = page.getByRole("status");
  await expect(line).toContainText(
    /You're offline\.\s+This is your feed as of \d{1,2}:\d\d [ap]m\./,
  );
  const card = page.getByRole("article", { name: `Photo by ${writer.name}` });
  await expect(card).toContainText("Low tide at noon");
  const photo = card.getByAltText(`Photo by ${writer.name}`);
  await expect
    .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(card.getByRole("button", { name: "Like" })).toBeDisabled();
  for (const button of await page.getByRole("button").all()) await expect(button).toBeDisabled();
  await expect(page.locator("form, input, textarea")).toHaveCount(0);
  await expectNoSidewaysScroll(page);
  expect(await axeFinds(page)).toEqual([]);

  await card.getByRole("link", { name: "Open this post" }).click();
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("link", { name: "See your feed" }).click();
  await expect(line).toContainText("This is your feed as of");

  await post(postcard, writer, { caption: "High tide again" });
  await page.context().setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(line).toContainText("You're back online.");
  await line.getByRole("link", { name: "See what's new" }).click();
  await expect(page.getByText("High tide again")).toBeVisible();
  await expect(page.getByText("This is your feed as of")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Like" }).first()).toBeEnabled();
});

const signOuts: Record<string, (page: Page) => Promise<unknown>> = {
  "the button": async (page) => {
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page.getByText("Signed Out Successfully")).toBeVisible();
  },
  "a form before there are scripts": async (page) => {
    await page.evaluate(() =>
      document.querySelector<HTMLFormElement>("form[action='/signOut']")?.submit(),
    );
    await expect(page.getByText("Signed Out Successfully")).toBeVisible();
  },
  "a session that ended elsewhere": async (page) => {
    await page.context().clearCookies();
    await page.goto("/search");
  },
};

for (const [name, signOut] of Object.entries(signOuts)) {
  test(`nothing of the feed is left after ${name}`, async ({ open, postcard }) => {
    const { reader } = await feedOf(postcard);
    const page = await open(reader, {
      serviceWorkers: "allow",
      viewport: desktop,
      expects: offlineComplaints,
    });
    await page.goto("/");
    await expectOfflineFeed(page);
    await signOut(page);
    await expect.poll(() => kept(page)).toEqual([]);
    await page.goto("/");
    await expect(page.getByRole("main").getByRole("link", { name: "Sign In" })).toBeVisible();
    await page.context().setOffline(true);
    await expect(page.reload()).rejects.toThrow(/ERR_/);
  });
}

test("a browser without room stores nothing, and the page does not mention it", async ({
  open,
  postcard,
}) => {
  const { reader } = await feedOf(postcard);
  const page = await open(reader, { serviceWorkers: "allow" });
  await page.addInitScript(() => {
    const full = new DOMException("No room", "QuotaExceededError");
    let put = 0;
    Cache.prototype.put = async () => {
      document.documentElement.dataset["puts"] = String((put += 1));
      throw full;
    };
  });
  await page.goto("/");
  await expect(page.locator("html[data-puts]")).toBeAttached();
  await expect.poll(() => kept(page)).toEqual([]);
  await expect(page.getByText("Low tide at noon")).toBeVisible();
});

test("another account in the same browser sees nothing of the first one's feed", async ({
  open,
  postcard,
}) => {
  const { reader } = await feedOf(postcard);
  const other = await addMember(postcard, { firstName: "Otto", secondName: "Other" });
  const page = await open(reader, { serviceWorkers: "allow", expects: offlineComplaints });
  await page.goto("/");
  await expectOfflineFeed(page);
  await enter(page.context(), postcard, other);
  await page.goto("/search");
  // By now the notice belongs to this member.
  await expect.poll(() => kept(page)).toContain("/kept/notice");
  expect(await kept(page)).not.toContain("/kept/feed");
  await page.context().setOffline(true);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  await expect(page.getByText("Low tide at noon")).toHaveCount(0);
});

/** Presses every link of the bar, which reports that it can't be reached; nothing else changes. */
async function expectToStay(
  page: Page,
  path: string,
  { message, names }: { message: Locator; names: string[] },
): Promise<void> {
  for (const name of names) {
    await page.getByRole("navigation").last().getByRole("link", { name }).click();
    await expect(message).toBeVisible();
    await expect(page).toHaveURL(path);
    await expect(page.getByLabel("Leave a comment")).toHaveValue("Typed in the dark");
    await message.getByRole("button", { name: "Close" }).click();
    await expect(message).toHaveCount(0);
  }
}

test("a press on a link without a connection stays on the page, with what is typed, and works when it is back", async ({
  open,
  postcard,
}) => {
  const { reader, path } = await feedOf(postcard);
  const page = await open(reader, { expects: offlineComplaints });
  await page.goto(path);
  const comment = page.getByLabel("Leave a comment");
  await comment.fill("Typed in the dark");
  const message = page
    .getByRole("alert")
    .filter({ hasText: "You're offline." })
    .filter({ hasText: "We couldn't open that page." });
  const bar = page.getByRole("navigation").last();

  await page.context().setOffline(true);
  // Its code and its data are both out of reach; home's code may already be loaded.
  await expectToStay(page, path, { message, names: ["Search", "Home"] });
  await bar.getByRole("link", { name: "Search" }).click();
  await message.getByRole("button", { name: "Try again" }).click();
  await expect(message).toBeVisible();
  await expect(comment).toHaveValue("Typed in the dark");
  expect(await axeFinds(page)).toEqual([]);

  await page.context().setOffline(false);
  await message.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL("/search");
  await expect(page.getByRole("searchbox")).toBeVisible();
  await expect(message).toHaveCount(0);
});

test("if only the server is away, a press on a link stays on the page, too", async ({
  open,
  postcard,
}) => {
  const { reader, path } = await feedOf(postcard);
  const page = await open(reader, { expects: offlineComplaints });
  await page.goto(path);
  await page.getByLabel("Leave a comment").fill("Typed in the dark");
  const away = /\.data|\/assets\/|robots\.txt|__manifest/;
  await page.route(away, (route) => route.abort());
  const bar = page.getByRole("navigation").last();
  const message = page.getByRole("alert").filter({ hasText: "Postcard can't be reached." });
  await expectToStay(page, path, { message, names: ["Search", "Profile"] });
  await page.unroute(away);
  await bar.getByRole("link", { name: "Search" }).click();
  await expect(page).toHaveURL("/search");
  await expect(page.getByRole("searchbox")).toBeVisible();
});

test("code that a new version took away opens the page in that version", async ({
  open,
  postcard,
}) => {
  const { reader, path } = await feedOf(postcard);
  const page = await open(reader, { expects: /status of 404|dynamically imported|route module/ });
  await page.goto(path);
  let upgraded = false;
  await page.route(/\/assets\/search-/, (route) =>
    upgraded ? route.continue() : route.fulfill({ status: 404, body: "" }),
  );
  const document = page.waitForRequest((request) => {
    upgraded ||= request.isNavigationRequest() && new URL(request.url()).pathname === "/search";
    return upgraded;
  });
  await page.getByRole("navigation").last().getByRole("link", { name: "Search" }).click();
  await document;
  await expect(page.getByRole("searchbox")).toBeVisible();
});
