import type { Page } from "@playwright/test";
import { addMember, follow, post } from "./support/members.ts";
import { expect, test } from "./support/stories.ts";
import { setVisibility } from "./support/visibility.ts";

const minute = 61_000;

/** Without the stream a feed polls by itself; with it, see live.story.ts. */
const withoutStream = (page: Page) =>
  page.route("**/api/events?**", (route) => route.fulfill({ status: 503, body: "" }));

test("a feed left open announces new posts; a press shows them and goes up", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Fresh", secondName: "News" });
  const reader = await addMember(postcard, { firstName: "Left", secondName: "Open" });
  for (let note = 1; note <= 15; note += 1) {
    await post(postcard, writer, { caption: `Old ${note}.` });
  }
  await follow(postcard, reader, writer);
  const page = await open(reader, { expects: /status of 503/ });
  await withoutStream(page);
  await page.clock.install();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/feed/newer")) asked.push(request.url());
  });
  await page.goto("/");
  const posts = page.getByRole("article");
  await posts.last().scrollIntoViewIfNeeded();
  await posts.nth(10).scrollIntoViewIfNeeded();
  const pull = page.getByRole("button", { name: /new posts?$/ });

  await page.clock.fastForward(30_000);
  expect(asked).toHaveLength(0);
  await page.clock.fastForward(31_000);
  await expect.poll(() => asked.length).toBe(1);
  await expect(pull).toHaveCount(0);

  await post(postcard, writer, { caption: "New one." });
  await page.clock.fastForward(minute);
  await expect(pull).toHaveText("1 new post");
  await post(postcard, writer, { caption: "New two." });
  await post(postcard, writer, { caption: "New three." });
  await page.clock.fastForward(minute);
  await expect(pull).toHaveText("3 new posts");
  await expect(posts.first()).toContainText("Old 15.");

  await pull.click();
  await expect(posts.first()).toContainText("New three.");
  await expect(pull).toHaveCount(0);
  await page.clock.runFor(2_000);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(posts).toHaveCount(18);
});

test("a feed asks nothing while it is hidden or offline, and less often after failures", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Gentle", secondName: "Asker" });
  const reader = await addMember(postcard, { firstName: "Far", secondName: "Away" });
  await post(postcard, writer, { caption: "First." });
  await follow(postcard, reader, writer);
  const page = await open(reader, { expects: /status of 50[03]|ERR_FAILED|ERR_INTERNET/ });
  await withoutStream(page);
  await page.clock.install();
  let asked = 0;
  let broken = false;
  await page.route("**/api/feed/newer**", async (route) => {
    asked += 1;
    await (broken ? route.fulfill({ status: 500, body: "" }) : route.continue());
  });
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(1);

  await setVisibility(page, "hidden");
  await page.clock.fastForward(3 * minute);
  expect(asked).toBe(0);
  // Back after longer than a minute: at once.
  const answered = page.waitForResponse("**/api/feed/newer**");
  await setVisibility(page, "visible");
  await answered;
  expect(asked).toBe(1);

  await page.context().setOffline(true);
  await page.clock.fastForward(3 * minute);
  expect(asked).toBe(1);
  const online = page.waitForResponse("**/api/feed/newer**");
  await page.context().setOffline(false);
  await online;
  expect(asked).toBe(2);

  broken = true;
  await page.clock.runFor(minute);
  await expect.poll(() => asked).toBe(3);
  // After a failure, a minute is not enough.
  await page.clock.runFor(minute);
  expect(asked).toBe(3);
  await page.clock.runFor(minute);
  await expect.poll(() => asked).toBe(4);
});
