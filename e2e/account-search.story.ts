import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

test("people are found by a part of their email, in its letter case, and it is never printed", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Elsa", secondName: "Mailed" });
  const page = await open(null);
  await page.goto("/search");
  const field = page.getByLabel("Search people or #hashtags");
  await field.fill(member.email.slice(0, 12));
  await expect(page.getByRole("link", { name: /Elsa Mailed @/ })).toBeVisible();
  await expect(page).toHaveURL(`/search?q=${member.email.slice(0, 12)}`);
  const html = await page.locator("main li").innerHTML();
  expect(html).toContain(`@${member.username}`);
  expect(html.replaceAll(`@${member.username}`, "")).not.toContain("@");
  await field.fill(member.email.slice(0, 12).toUpperCase());
  await expect(page.getByText("No one found")).toBeVisible();
});

test("the results can be used by keyboard: arrows, Enter, Escape", async ({ open, postcard }) => {
  const name = `Keys${Date.now() % 100_000}`;
  await addMember(postcard, { firstName: name, secondName: "Aa" });
  await addMember(postcard, { firstName: name, secondName: "Bbb" });
  const page = await open(null);
  await page.goto("/search");
  const field = page.getByLabel("Search people or #hashtags");
  await field.pressSequentially(name);
  const [first, second] = [
    page.getByRole("link", { name: new RegExp(`${name} Aa @`) }),
    page.getByRole("link", { name: new RegExp(`${name} Bbb @`) }),
  ];
  await expect(first).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(second).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(field).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(name);
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("");
  await expect(page).toHaveURL("/search");
  await field.pressSequentially(name);
  await expect(second).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: `${name} Bbb` })).toBeVisible();
});

test("a press on another link right after typing leads there, and not to the search", async ({
  open,
}) => {
  const page = await open(null);
  await page.goto("/search");
  const held = Promise.withResolvers<void>();
  await page.route("**/_root.data*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.clock.install();
  await page.getByLabel("Search people or #hashtags").fill("Somebody");
  await page.getByRole("link", { name: "Home" }).filter({ visible: true }).first().click();
  // The search would begin after a pause.
  await page.clock.runFor(2000);
  held.resolve();
  await expect(page).toHaveURL("/");
});

test("a slow answer to an older query never replaces the newer one", async ({ open, postcard }) => {
  const name = `Swift${Date.now() % 100_000}`;
  await addMember(postcard, { firstName: name, secondName: "First" });
  const page = await open(null, { expects: /ERR_FAILED/ });
  await page.goto("/search");
  const cancelled = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("q=nob"),
  );
  await page.route(/q=nobody-such/, async () => {
    // never answered: only a newer query can end it
  });
  const field = page.getByLabel("Search people or #hashtags");
  const asked = page.waitForRequest(/q=nobody-such/);
  await field.fill("nobody-such");
  await asked;
  await field.fill(name);
  await expect(page.getByRole("link", { name: new RegExp(`${name} First @`) })).toBeVisible();
  await cancelled;
  await expect(page).toHaveURL(`/search?q=${name}`);

  await page.unroute(/q=nobody-such/);
  await page.route(/q=offline/, (route) => route.abort());
  await field.fill("offline");
  await expect(page.getByText("We couldn't reach Postcard.")).toBeVisible();
  await expect(field).toHaveValue("offline");
});

test("no page, no data and no call carries somebody else's private email", async ({ postcard }) => {
  const writer = await addMember(postcard, { firstName: "Hidden", secondName: "Address" });
  const friend = await addMember(postcard, { firstName: "Friend", secondName: "Nearby" });
  const stranger = await addMember(postcard, { firstName: "Stranger", secondName: "Danger" });
  const words = await post(postcard, writer, { caption: "Words" });
  await post(postcard, writer, { caption: "Photo", photo: await plainPhoto() });
  await follow(postcard, friend, writer);
  await follow(postcard, writer, friend);
  await follow(postcard, stranger, writer);
  const part = writer.email.slice(0, 20);
  const pages = [
    "/",
    "/search",
    "/search?q=hidden",
    `/search?q=${part}`,
    `/search/${writer.id}`,
    `/search/${writer.id}?tab=texts`,
    words,
    `/profile/followers/${writer.id}`,
    `/profile/following/${writer.id}`,
    `/profile/followers/${friend.id}`,
    "/settings",
    "/saved",
    "/profile",
    "/profile/edit",
    "/notifications",
    "/chat",
  ];
  const data = pages.map((path) =>
    path.replace(/^\/($|\?)/, "/_.data$1").replace(/^(\/[^?]+?)(?<!\.data)($|\?)/, "$1.data$2"),
  );
  const calls = [
    "/api/feed",
    ...["photos", "texts", "followers", "following"].map(
      (list) => `/api/accounts/${writer.username}/${list}`,
    ),
    `/api/search?q=${part}`,
  ];
  let shown = 0;
  for (const cookie of ["", stranger.cookie]) {
    for (const path of [...pages, ...data, ...calls]) {
      const text = await (
        await fetch(postcard + path, { headers: { cookie }, redirect: "manual" })
      ).text();
      if (text.includes("Hidden Address")) shown += 1;
      // Text typed into the search appears again in its own field.
      expect(text.includes(writer.email), path).toBe(false);
      expect(text.includes(friend.email), path).toBe(false);
    }
  }
  expect(shown).toBeGreaterThan(20);
});
