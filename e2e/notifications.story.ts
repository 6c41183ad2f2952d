import { comment, like } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post } from "./support/members.ts";
import { expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

test("the bell and the title count what is unread; the page lists it, leads there and marks it as read", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Told" });
  const bob = await addMember(postcard, { firstName: "Bob", secondName: "Doer" });
  const cleo = await addMember(postcard, { firstName: "Cleo", secondName: "Doer" });
  const path = await post(postcard, ana, { caption: "A few words to like." });
  const page = await open(ana);
  await page.goto("/notifications");
  await expect(page.getByText("All quiet")).toBeVisible();
  await expect(page).toHaveTitle("Notifications · Postcard");
  // On another page: notifications that arrive while one looks at them count as seen.
  await page.goto("/settings");

  await follow(postcard, bob, ana);
  for (const fan of [bob, cleo]) await like(postcard, fan, path);
  await comment(postcard, cleo, path, `Well said, @${ana.username}!`);
  // It arrives by itself.
  const bell = page.getByRole("link", { name: "Notifications, 3 unread" });
  await expect(bell).toBeVisible();
  await expect(page).toHaveTitle("(3) Settings · Postcard");
  await bell.click();

  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("Cleo Doer mentioned you in a comment");
  await expect(rows.nth(0)).toContainText(`Well said, @${ana.username}!`);
  await expect(rows.nth(1)).toContainText("Cleo Doer and Bob Doer liked your post");
  await expect(rows.nth(2)).toContainText("Bob Doer followed you");
  await expect(page.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();
  await expect(page).toHaveTitle("Notifications · Postcard");
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);

  await page.getByRole("link", { name: "Mentions" }).click();
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`${path}#comment-`));
  await page.getByRole("link", { name: `@${ana.username}` }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await page.goto("/notifications");
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole("link", { name: /^New: / })).toHaveCount(0);
});

test("one follows back from the row; a long name is truncated, the action never", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Followed" });
  const long = await addMember(postcard, {
    firstName: "Wolfeschlegelsteinhausen",
    secondName: "Bergerdorff",
  });
  await follow(postcard, long, ana);
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await page.goto("/notifications");
  const today = page.getByRole("region", { name: "Today" });
  const row = today.getByRole("listitem");
  await expect(row.getByText("followed you")).toBeInViewport();
  const [name, button] = [row.locator("bdi"), row.getByRole("button")];
  expect(await name.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(true);
  await expect(button).toHaveText("Follow back");
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/follow"));
  await button.click();
  await expect(button).toHaveText("Following");
  await saved;
  await page.reload();
  await expect(button).toHaveText("Following");
  await expectNoSidewaysScroll(page);
  expect(await axeFinds(page)).toEqual([]);
});

test("switches choose the notifications, at once and without scripts", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Choosy" });
  const bob = await addMember(postcard, { firstName: "Bob", secondName: "Liker" });
  const path = await post(postcard, ana, { caption: "Quiet, please." });
  const page = await open(ana, { expects: /status of 500/ });
  await page.goto("/settings/notifications");
  const likes = page.getByLabel("Likes");
  await expect(likes).toBeChecked();
  expect(await axeFinds(page)).toEqual([]);
  const saved = page.waitForResponse("**/api/notifications/settings");
  await likes.uncheck();
  expect((await saved).status()).toBe(200);
  await like(postcard, bob, path);
  await page.goto("/notifications");
  await expect(page.getByText("All quiet")).toBeVisible();

  const plain = await open(ana, { javaScriptEnabled: false });
  await plain.goto("/settings/notifications");
  await expect(plain.getByLabel("Likes")).not.toBeChecked();
  await plain.getByLabel("Likes").check();
  await plain.getByLabel("Follows").uncheck();
  await plain.getByRole("button", { name: "Save" }).click();
  await expect(plain.getByLabel("Likes")).toBeChecked();
  await expect(plain.getByLabel("Follows")).not.toBeChecked();

  await page.goto("/settings/notifications");
  await page.route("**/api/notifications/settings", (route) =>
    route.fulfill({ status: 500, body: "" }),
  );
  await page.getByLabel("Comments").click();
  await expect(page.getByText("“Comments” is still on.")).toBeVisible();
  await expect(page.getByLabel("Comments")).toBeChecked();
});

test("pushes are switched on and off where one sits, by the browser's one worker", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Pushed" });
  const page = await open(ana, {
    permissions: ["notifications"],
    serviceWorkers: "allow",
  });
  // Chromium's own push service is out of reach, and its headless shell never asks for permission: their
  // answers are faked, everything else is real.
  await page.addInitScript(() => {
    let held: unknown = null;
    // The keys of RFC 8291, section 5: a key that is no point of the curve is refused.
    const p256dh =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const keys = { p256dh, auth: "BTBZMqHH6r4Tts7J_aSIgg" };
    const made = {
      toJSON: () => ({ endpoint: "https://push.example.org/made-up", keys }),
      unsubscribe: async () => {
        held = null;
        return true;
      },
    };
    Object.assign(Notification, { requestPermission: async () => "granted" });
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Object.assign(PushManager.prototype, {
      getSubscription: async () => held,
      subscribe: async () => (held = made),
    });
  });
  await page.goto("/settings/notifications");
  const push = page.getByLabel("Notifications on this device");
  await expect(push).toBeEnabled();
  const answered = () => page.waitForResponse("**/calls/push");
  let answer = answered();
  await push.check();
  expect(await (await answer).json()).toEqual({ subscribed: true });
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL),
  ).toBe(`${postcard}/service-worker.js`);
  await page.goto("/settings/notifications");
  answer = answered();
  await push.check();
  await answer;
  answer = answered();
  await push.uncheck();
  expect(await (await answer).json()).toEqual({ subscribed: false });
});
