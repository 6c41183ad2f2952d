import type { Page } from "@playwright/test";
import { idAt } from "#server/platform/db/ids.ts";
import { axeFinds } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { shiftsOf } from "./support/layout-shift.ts";
import { goDownTo, goTo, listed } from "./support/long-lists.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectAnswered, test } from "./support/stories.ts";

const hoursAgo = (hours: number) => idAt(Date.now() - hours * 60 * 60 * 1000);
const lineOn = (page: Page) => page.getByText("You're all caught up. Older posts start here.");
const words = (page: Page) => page.getByRole("main").innerText();

test("the home feed goes on while one scrolls, and is as long as it was when one comes back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Many", secondName: "Posts" });
  const reader = await addMember(postcard, { firstName: "Long", secondName: "Reader" });
  const photo = await plainPhoto("#2d6a8f", 900, 700);
  for (let note = 1; note <= 50; note += 1) {
    await post(postcard, writer, { caption: `Note ${note}.`, ...(note % 10 ? {} : { photo }) });
  }
  await follow(postcard, reader, writer);

  const page = await open(reader);
  const firstPage = await page.goto("/").then((response) => response?.text());
  expect(firstPage?.match(/<article/g)).toHaveLength(10);
  const posts = page.getByRole("article");
  await expect(posts.first()).toContainText("Note 50.");
  await goDownTo(page, 50);
  await goTo(page, 49);
  await expect(posts.last()).toContainText("Note 1.");
  await expect.poll(() => listed(page)).toBe(50);

  const older = posts.filter({ hasText: "Note 10." });
  await goTo(page, 50 - 10);
  await older.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await older.getByRole("link", { name: "Open this post" }).click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  await expect.poll(() => listed(page)).toBe(50);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeCloseTo(before, -1);
});

test("Back from another site finds the position in a long feed, and so does a reload", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Far", secondName: "Down" });
  const reader = await addMember(postcard, { firstName: "Comes", secondName: "Back" });
  for (let note = 1; note <= 50; note += 1) {
    await post(postcard, writer, { caption: `Note ${note}.\n\nWith a second line.` });
  }
  await follow(postcard, reader, writer);
  const page = await open(reader, { expects: /status of 401/ });
  await page.goto("/");
  const posts = page.getByRole("article");
  await goDownTo(page, 50);
  await goTo(page, 50 - 8);
  await expect(posts.filter({ hasText: "Note 8." })).toBeInViewport();
  const position = () => page.evaluate(() => window.scrollY);
  const before = await position();
  expect(before).toBeGreaterThan(5000);

  // What was loaded is stored by now: this document gets no event when it is left.
  const stored = () => page.evaluate(() => sessionStorage.getItem("postcard-scroll"));
  await expect.poll(stored).toContain(`${before}`);
  await page.evaluate(() => {
    window.addEventListener("pagehide", (event) => event.stopImmediatePropagation(), true);
  });
  await page.goto("about:blank");
  await page.goBack();
  await expect.poll(() => listed(page)).toBe(50);
  await expect.poll(position).toBeCloseTo(before, -1);
  await expect(posts.filter({ hasText: "Note 8." })).toBeInViewport();
  await page.reload();
  await expect.poll(() => listed(page)).toBe(50);
  await expect.poll(position).toBeCloseTo(before, -1);

  // Via a post, from which the other site was opened.
  await posts.filter({ hasText: "Note 8." }).getByRole("link", { name: /Today/ }).click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goto("about:blank");
  await page.goBack();
  await expect(page.getByText("Note 8.")).toBeVisible();
  await page.goBack();
  await expect.poll(() => listed(page)).toBe(50);
  await expect.poll(position).toBeCloseTo(before, -1);

  // A new visit begins at the top, with the newest post.
  await page.goto("/settings");
  await page.goto("/");
  await expect(posts.first()).toContainText("Note 50.");
  expect(await position()).toBe(0);
  expect(await listed(page)).toBeLessThan(50);
  // Nothing of it is left after a sign-out.
  await page.getByRole("button", { name: "Your menu" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("postcard-lists"))).toBeNull();
});

test("when older posts do not load, the feed says so and tries again", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Slow", secondName: "Line" });
  const reader = await addMember(postcard, { firstName: "Calm", secondName: "Reader" });
  for (let note = 1; note <= 21; note += 1) await post(postcard, writer, { caption: `N${note}.` });
  await follow(postcard, reader, writer);
  const page = await open(reader, { expects: /ERR_FAILED/ });
  await page.route("**/api/feed?**", (route) => route.abort());
  await page.goto("/");
  const posts = page.getByRole("article");
  await posts.last().scrollIntoViewIfNeeded();
  await expect(page.getByText("More didn't load.")).toBeVisible();
  await page.unroute("**/api/feed?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(posts).toHaveCount(21);
});

test("an empty home offers people to follow", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Popular", secondName: `P${Date.now()}` });
  const fans = [
    await addMember(postcard, { firstName: "Fan", secondName: "One" }),
    await addMember(postcard, { firstName: "Fan", secondName: "Two" }),
  ] as const;
  await post(postcard, writer, { caption: "Hello, newcomers." });
  for (const fan of fans) await follow(postcard, fan, writer);
  const newcomer = await addMember(postcard, { firstName: "New", secondName: "Comer" });
  // Accounts followed by the accounts one follows are suggested first, however many there are.
  await follow(postcard, newcomer, fans[0]);
  const page = await open(newcomer);
  await page.goto("/");
  await expect(page.getByText("Follow a few people")).toBeVisible();
  await expect(page.getByRole("link", { name: "See your feed" })).toHaveCount(0);
  const row = page.getByRole("listitem").filter({ hasText: writer.name });
  await row.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(row.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "See your feed (1)" }).click();
  await expect(page.getByRole("article").first()).toContainText("Hello, newcomers.");
});

test("a new member follows three and sees the newest post at the top", async ({
  open,
  postcard,
}) => {
  const name = `Penfriend${Date.now() % 100_000}`;
  const photo = await plainPhoto("#7a5230", 900, 1100);
  const writers = [];
  for (const secondName of ["One", "Two", "Three", "Four"]) {
    const writer = await addMember(postcard, { firstName: name, secondName });
    await post(postcard, writer, { photo, caption: `The first of ${secondName}.` });
    await post(postcard, writer, {
      caption: `The second of ${secondName}. ${"Words. ".repeat(60)}`,
    });
    writers.push(writer);
  }
  const newcomer = await addMember(postcard, { firstName: "New", secondName: "Reader" });
  // An account followed by the newcomer's only friend, who posted nothing, comes first.
  const friend = await addMember(postcard, { firstName: "Silent", secondName: "Friend" });
  for (const writer of writers) await follow(postcard, friend, writer);
  await follow(postcard, newcomer, friend);
  const page = await open(newcomer);
  await page.goto("/");
  const position = () => page.evaluate(() => window.scrollY);
  const cards = page.getByRole("listitem").filter({ hasText: name });
  await expect(cards).toHaveCount(4);
  await expect(cards.first()).toContainText("Followed by Silent Friend");
  for (const [index, card] of [cards.nth(1), cards.nth(2), cards.nth(3)].entries()) {
    await card.scrollIntoViewIfNeeded();
    await card.getByRole("button", { name: "Follow", exact: true }).click();
    await expect(page.getByRole("link", { name: `See your feed (${index + 1})` })).toBeInViewport();
  }
  // Not at a scroll position where the next page would load by itself.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  expect(await position()).toBeGreaterThan(300);
  await page.getByRole("link", { name: "See your feed (3)" }).click();
  const first = page.getByRole("article").first();
  await expect(first).toContainText("The second of");
  await expect(first).toBeInViewport();
  // Nothing stored from the previous page scrolls down again.
  await expect(page.locator("html[data-alive]")).toBeAttached();
  await expect.poll(position).toBe(0);
});

test("suggested accounts beside the feed can be dismissed, and without scripts too", async ({
  open,
  postcard,
}) => {
  const name = `Beside${Date.now() % 100_000}`;
  const [one, two, friend, reader] = [
    await addMember(postcard, { firstName: name, secondName: "One" }),
    await addMember(postcard, { firstName: name, secondName: "Two" }),
    await addMember(postcard, { firstName: "Good", secondName: "Friend" }),
    await addMember(postcard, { firstName: "At", secondName: "Desk" }),
  ];
  for (const writer of [one, two, friend]) await post(postcard, writer, { caption: "Words." });
  for (const writer of [one, two]) await follow(postcard, friend, writer);
  await follow(postcard, reader, friend);

  const page = await open(reader, { viewport: desktop });
  await page.goto("/");
  const rail = page.getByRole("complementary", { name: "About" });
  await expect(rail.getByText(one.name)).toBeVisible();
  await rail.getByRole("button", { name: `Don't suggest ${one.name}` }).click();
  await expect(rail.getByText(one.name)).toHaveCount(0);
  await expectAnswered(page);
  await page.goto("/search");
  const cards = page.locator("main").getByRole("listitem").filter({ hasText: name });
  await expect(cards).toHaveCount(1);
  await expect(rail).toBeHidden();

  const plain = await open(reader, { javaScriptEnabled: false });
  await plain.goto("/search");
  await plain.getByRole("button", { name: `Don't suggest ${two.name}` }).click();
  await expect(plain).toHaveURL("/search");
  await expect(plain.getByText(two.name)).toHaveCount(0);
});

test("nothing on the home page moves while it loads, and only its first photo is urgent", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Still", secondName: "Life" });
  const reader = await addMember(postcard, { firstName: "Quiet", secondName: "Eye" });
  for (const colour of ["#884422", "#228844", "#442288"]) {
    await post(postcard, writer, {
      photo: await plainPhoto(colour, 1200, 900),
      caption: "Long. ".repeat(80),
    });
  }
  await post(postcard, writer, { caption: "Words between the pictures." });
  await follow(postcard, reader, writer);
  for (const viewport of [undefined, desktop]) {
    const page = await open(reader, viewport ? { viewport } : {});
    await page.goto("/");
    // A member's page keeps a stream open: its network is never idle.
    await page.waitForFunction(() =>
      [...document.images].every(({ loading, complete }) => loading === "lazy" || complete),
    );
    expect(await shiftsOf(page)).toBeLessThan(0.001);
    const photos = page.getByRole("article").locator("img[sizes]");
    const urgent = await photos.evaluateAll((images) =>
      images.map((image) =>
        [image.getAttribute("loading"), image.getAttribute("fetchpriority")].join(),
      ),
    );
    // The newest post is a text post: the first photo to load is not in the first post.
    expect(urgent.filter((how) => how === "lazy,auto")).toHaveLength(urgent.length - 1);
    expect(urgent[0]).toBe("eager,high");
    for (const image of await photos.all()) {
      expect(await image.getAttribute("alt")).toBe(`Photo by ${writer.name}`);
      expect(Number(await image.getAttribute("width"))).toBeGreaterThan(0);
    }
  }
});

test("the line where the last visit ended is the same on every device", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Keeps", secondName: "Writing" });
  const reader = await addMember(postcard, { firstName: "Comes", secondName: "Daily" });
  await follow(postcard, reader, writer);
  await post(postcard, writer, { caption: "Of this morning." });
  await query(postcard, "update posts set id = $2 where author_id = $1", [writer.id, hoursAgo(3)]);

  const phone = await open(reader, { viewport: { width: 390, height: 844 } });
  await phone.goto("/");
  await expect(phone.getByRole("article")).toHaveCount(1);
  await expect(lineOn(phone), "nothing was there before a first visit").toHaveCount(0);
  // Two hours later.
  await query(postcard, "update feed_visits set seen_id = $2 where account_id = $1", [
    reader.id,
    hoursAgo(2),
  ]);
  await post(postcard, writer, { caption: "Of this evening." });

  const wide = await open(reader, { viewport: desktop });
  for (const page of [wide, phone]) {
    await page.goto("/");
    await expect(lineOn(page)).toBeVisible();
    expect(await words(page)).toMatch(/this evening[^]*all caught up[^]*this morning/);
  }
  expect(await axeFinds(phone)).toEqual([]);
});
