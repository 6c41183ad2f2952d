import type { BrowserContext, Page } from "@playwright/test";
import { comment, like, say } from "./support/acts.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { desktop, expect, test } from "./support/stories.ts";
import { setVisibility } from "./support/visibility.ts";

async function friends(url: string): Promise<[Member, Member]> {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Alive" });
  const bob = await addMember(url, { firstName: "Bob", secondName: "Busy" });
  await follow(url, ana, bob);
  await follow(url, bob, ana);
  return [ana, bob];
}

/** The streams that a browser requested, from all of its tabs. */
function streamsOf(context: BrowserContext): string[] {
  const asked: string[] = [];
  context.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/events") asked.push(search);
  });
  return asked;
}

const bell = (page: Page, unread: number) =>
  page.getByRole("link", { name: unread ? `Notifications, ${unread} unread` : "Notifications" });
const messages = (page: Page, unread: number) =>
  page.getByRole("link", { name: unread ? `Messages, ${unread} unread` : "Messages", exact: true });

test("all tabs of a browser hear of events over one stream, and go on when its tab closes", async ({
  open,
  postcard,
}) => {
  const [ana, bob] = await friends(postcard);
  const path = await post(postcard, ana, { caption: "Somebody may like this." });
  const first = await open(ana, { expects: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK/ });
  const asked = streamsOf(first.context());
  await first.goto("/settings");
  const second = await first.context().newPage();
  await second.goto("/settings/notifications");
  // Bob's follow was announced before the pages were read.
  for (const page of [first, second]) await expect(bell(page, 1)).toBeVisible();

  await like(postcard, bob, path);
  for (const page of [first, second]) {
    await expect(bell(page, 2)).toBeVisible();
    await expect(page).toHaveTitle(/^\(2\) /);
  }
  await say(postcard, bob, ana, "Are you there?");
  for (const page of [first, second]) {
    await expect(messages(page, 1)).toBeVisible();
    // Announced once, although it is a message and a notification.
    await expect(page).toHaveTitle(/^\(3\) /);
  }
  expect(asked).toEqual([`?account=${ana.id}`]);

  await first.close();
  await say(postcard, bob, ana, "Still there?");
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toMatch(/&after=\d+$/);
  await comment(postcard, bob, path, "Well said.");
  await expect(bell(second, 3)).toBeVisible();

  await second.context().setOffline(true);
  await comment(postcard, bob, path, `Or is it, @${ana.username}?`);
  await second.context().setOffline(false);
  await expect(bell(second, 4)).toBeVisible();

  // Read in one tab means read in all of them.
  const third = await second.context().newPage();
  await third.goto("/notifications");
  await expect(third.getByRole("main").getByRole("listitem")).toHaveCount(5);
  await expect(bell(second, 0)).toBeVisible();
  await expect(second).toHaveTitle(/^\(1\) /);
  const news = third.getByRole("button", { name: "New notifications" });
  await expect(news).toHaveCount(0);
  await comment(postcard, bob, path, "One more thing.");
  await news.click();
  await expect(third.getByText("One more thing.")).toBeVisible();
  await expect(news).toHaveCount(0);
});

test("an open post counts the likes and shows the comments of others as they come", async ({
  open,
  postcard,
}) => {
  const [ana, bob] = await friends(postcard);
  const path = await post(postcard, ana, { caption: "Alive." });
  for (let note = 1; note <= 8; note += 1) {
    await comment(postcard, bob, path, `Comment ${note}, with enough words\n\nfor a few lines.`);
  }
  const page = await open(ana, { ...desktop, expects: /status of 401/ });
  const feed = await page.context().newPage();
  await feed.goto("/");
  await expect(feed.getByText("Nothing from others yet")).toBeVisible();
  await page.goto(path);
  const rows = page.locator("#comments li");
  await expect(rows).toHaveCount(8);
  const typed = page.getByLabel("Leave a comment");
  await typed.fill("I am just writing");
  await typed.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 5));
  const position = () => rows.nth(3).evaluate((row) => row.getBoundingClientRect().top);
  const before = await position();

  await like(postcard, bob, path);
  await expect(page.getByText("1 like", { exact: true })).toBeAttached();
  await comment(postcard, bob, path, "A ninth one.");
  await expect(rows).toHaveCount(9);
  await expect(rows.last()).toContainText("A ninth one.");
  await expect(page.getByRole("heading", { name: "9 comments" })).toBeVisible();
  await expect(page.getByText("1 new comment.")).toBeAttached();
  await expect(typed).toHaveValue("I am just writing");
  await expect(typed).toBeFocused();
  expect(await typed.evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(5);
  expect(await position()).toBe(before);

  await post(postcard, bob, { caption: "The first from Bob." });
  await feed.getByRole("button", { name: "New posts" }).click();
  await expect(feed.getByRole("article")).toContainText("The first from Bob.");
  await post(postcard, bob, { caption: "Fresh from Bob." });
  await feed.getByRole("button", { name: "1 new post" }).click();
  await expect(feed.getByRole("article").first()).toContainText("Fresh from Bob.");

  // Signed out somewhere else: private content disappears at once, public text being written stays.
  const answer = await fetch(`${postcard}/api/session`, {
    method: "DELETE",
    headers: { Origin: postcard, cookie: ana.cookie },
  });
  expect(answer.ok).toBe(true);
  await expect(feed.getByText("Please Sign In To Access This section")).toBeVisible();
  await expect(feed.getByRole("article")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Sign In" }).first()).toBeVisible();
  await expect(bell(page, 0)).toHaveCount(0);
  await expect(typed).toHaveValue("I am just writing");
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?/);
});

test("a browser without a channel between tabs works, with a stream for each tab", async ({
  open,
  postcard,
}) => {
  const [ana, bob] = await friends(postcard);
  const page = await open(ana, { viewport: desktop });
  const asked = streamsOf(page.context());
  await page.context().addInitScript(() => {
    Object.defineProperty(window, "BroadcastChannel", { value: undefined });
  });
  await page.goto("/settings");
  const other = await page.context().newPage();
  await other.goto("/settings");
  await say(postcard, bob, ana, "Hello.");
  for (const tab of [page, other]) await expect(messages(tab, 1)).toBeVisible();
  expect(asked).toHaveLength(2);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("dialog")).toContainText("Signed Out Successfully");
});

test("a browser without locks, over plain http, has a stream for each visible tab", async ({
  open,
  postcard,
}) => {
  const [ana, bob] = await friends(postcard);
  const page = await open(ana);
  const asked = streamsOf(page.context());
  await page.context().addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    Object.defineProperty(Crypto.prototype, "randomUUID", { value: undefined });
  });
  await page.goto("/settings");
  const other = await page.context().newPage();
  await other.goto("/settings");
  await say(postcard, bob, ana, "Hello.");
  for (const tab of [page, other]) await expect(messages(tab, 1)).toBeVisible();
  expect(asked).toHaveLength(2);

  await setVisibility(page, "hidden");
  await post(postcard, bob, { caption: `Look, @${ana.username}.` });
  await expect(bell(other, 2)).toBeVisible();
  await expect(bell(page, 1)).toBeVisible();
  await setVisibility(page, "visible");
  await expect(bell(page, 2)).toBeVisible();
  expect(asked).toHaveLength(3);
  expect(asked[2]).toMatch(/&after=\d+$/);
});
