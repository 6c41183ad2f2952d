import type { Locator } from "@playwright/test";
import { addMember, enter, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

test("a visitor who clicks Follow is sent to sign in and comes back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Berta", secondName: "Brief" });
  const reader = await addMember(postcard, { firstName: "Carl", secondName: "Comesback" });
  const page = await open(null);
  await page.goto(`/search/${writer.id}?tab=texts`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?/);
  await page.getByLabel("Email").fill(reader.email);
  await page.getByLabel("Password", { exact: true }).fill(reader.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL(`/search/${writer.id}?tab=texts`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
});

test("pages for members ask a visitor to sign in, in place, and keep their address", async ({
  open,
}) => {
  const page = await open(null, { expects: /status of 401/ });
  for (const path of ["/upload", "/profile?tab=texts", "/saved", "/notifications", "/chat"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(401);
    await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
    await expect(page).toHaveURL(path);
    const signIn = page.locator("main").getByRole("link", { name: "Sign In" });
    const back = new URL((await signIn.getAttribute("href")) ?? "", "http://story").searchParams;
    expect(back.get("returnTo") ?? "/").toBe(path);
  }
});

test("the landing page shows visitors people's photos and one way to sign in, with scripts and without", async ({
  open,
  postcard,
}) => {
  const joined = Date.now() - 2 * 86_400_000;
  const writer = await addMember(postcard, { firstName: "Front", secondName: "Page", joined });
  const newcomer = await addMember(postcard, { firstName: "Came", secondName: "Today" });
  const caption = `On the front page ${writer.username}`;
  const path = await post(postcard, writer, { caption, photo: await plainPhoto("teal") });
  const early = await post(postcard, newcomer, { caption, photo: await plainPhoto("red") });
  for (const javaScriptEnabled of [true, false]) {
    for (const viewport of [phone, desktop]) {
      const page = await open(null, { javaScriptEnabled, viewport });
      expect((await page.goto("/"))?.status()).toBe(200);
      const main = page.locator("main");
      await expect(main.getByText("Please Sign In To Access This section")).toBeVisible();
      await expect(main.getByRole("link", { name: "Sign In", exact: true })).toHaveCount(1);
      await expect(main.getByText("Sign In", { exact: true })).toHaveCount(1);
      await expect(main.getByRole("link", { name: "Create your account" })).toHaveCount(1);
      await expect(main.locator(`a[href="${path}"]`)).toHaveCount(1);
      await expect(main.locator(`a[href="${path}"] img`)).toBeVisible();
      await expect(main.locator(`a[href="${early}"]`)).toHaveCount(0);
      await main.locator(`a[href="${path}"]`).click();
      await expect(page).toHaveURL(path);
    }
  }
});

test("the front page has room for its photos before they are parsed, and each can be pressed", async ({
  open,
  postcard,
}) => {
  const joined = Date.now() - 2 * 86_400_000;
  for (const secondName of ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"]) {
    const writer = await addMember(postcard, { firstName: "Fan", secondName, joined });
    await post(postcard, writer, { caption: "In the fan", photo: await plainPhoto("teal") });
  }
  for (const viewport of [phone, desktop]) {
    const page = await open(null, { viewport, reducedMotion: "reduce" });
    await page.goto("/");
    const fan = page.locator(".landing-fan");
    for (const card of await fan.getByRole("link").all()) {
      expect(await largestUncovered(card)).toBeGreaterThanOrEqual(24);
    }
    if (viewport === phone) {
      expect((await fan.boundingBox())?.height).toBeLessThanOrEqual(230);
      const bar = await page.getByRole("navigation", { name: "Main" }).last().boundingBox();
      const grid = await page.locator(".landing-lately ul").boundingBox();
      expect((bar?.y ?? 0) - (grid?.y ?? Infinity)).toBeGreaterThanOrEqual(60);
    }
    const line = page.getByRole("heading", { level: 1 });
    const before = await line.boundingBox();
    // As while the page is parsed only up to here.
    await page.evaluate(() => {
      document.querySelector(".landing-lately")?.remove();
      document.querySelector(".landing-fan")?.remove();
    });
    expect(await line.boundingBox()).toEqual(before);
  }
});

/** The side of the largest square of a link that nothing covers, to 4 pixels. */
function largestUncovered(link: Locator): Promise<number> {
  return link.evaluate((card) => {
    const step = 4;
    const { left, top, right, bottom } = card.getBoundingClientRect();
    // The largest square that ends at each point of the row above.
    let above: number[] = [];
    let largest = 0;
    for (let y = top; y < bottom; y += step) {
      const row: number[] = [];
      for (let x = left; x < right; x += step) {
        const at = row.length;
        const open = card.contains(document.elementFromPoint(x, y));
        const around = [row[at - 1] ?? 0, above[at] ?? 0, above[at - 1] ?? 0];
        row.push(open ? Math.min(...around) + step : 0);
        largest = Math.max(largest, row[at] ?? 0);
      }
      above = row;
    }
    return largest;
  });
}

test("after signing in, Back shows a member's page, not the visitor's that caches may keep", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Bea", secondName: "Back" });
  const path = await post(postcard, member, { caption: "Seen before signing in" });
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(null, { javaScriptEnabled });
    const asked = await page.goto(path);
    expect(asked?.headers()["cache-control"]).toContain("s-maxage");
    const bell = page.getByRole("link", { name: /^Notifications/ });
    await expect(page.getByText("Seen before signing in")).toBeVisible();
    await expect(bell).toHaveCount(0);
    await enter(page.context(), postcard, member);
    await page.goto("/saved");
    await expect(bell.first()).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect(page.getByText("Seen before signing in")).toBeVisible();
    await expect(bell.first()).toBeVisible();
  }
});

test("a visitor makes an account on a phone and posts, in seven presses at most", async ({
  open,
}) => {
  const page = await open(null);
  await page.goto("/");
  let presses = 0;
  const press = async (name: string, role: "link" | "button", within = page.locator("body")) => {
    presses += 1;
    await within.getByRole(role, { name, exact: true }).click();
  };
  await press("Create your account", "link", page.locator("main"));
  await page.getByLabel("Email").fill(`${crypto.randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery 9");
  presses += 1;
  await page.locator('input[type="file"]').setInputFiles(await plainPhoto("olive"));
  await press("Sign Up", "button", page.locator("main"));
  await press("OK", "button");
  await press("Post", "link", page.getByRole("navigation", { name: "Main" }).last());
  // The sign-up has a field for an avatar as well, and is there until the composer has loaded.
  await expect(page).toHaveURL("/upload");
  await expect(page.getByLabel("Write a Caption")).toBeVisible();
  presses += 1;
  await page
    .locator('main input[type="file"]')
    .first()
    .setInputFiles(await plainPhoto("navy"));
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await page.getByLabel("Write a Caption").fill("My first postcard");
  await press("Post", "button", page.locator("main"));
  await expect(page).toHaveURL("/?posted=1");
  await page.goto("/profile");
  await expect(page.getByRole("img", { name: "My first postcard" })).toBeVisible();
  expect(presses).toBeLessThanOrEqual(7);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a visitor who presses Follow and signs up sees whom, and follows them, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    open,
    postcard,
  }) => {
    const writer = await addMember(postcard, { firstName: "Wanda", secondName: "Wanted" });
    for (const wanted of [true, false]) {
      const page = await open(null, { javaScriptEnabled });
      await page.goto(`/search/${writer.id}`);
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await page.locator("main").getByRole("link", { name: "Create your account" }).click();
      const choice = page.getByRole("checkbox", { name: "You'll follow Wanda Wanted" });
      await expect(choice).toBeChecked();
      if (!wanted) await choice.uncheck();
      await page.getByLabel("Email").fill(`${crypto.randomUUID()}@example.org`);
      await page.getByLabel("Password", { exact: true }).fill("correct horse battery 9");
      await page.locator('input[type="file"]').setInputFiles(await plainPhoto("olive"));
      await page.locator("main").getByRole("button", { name: "Sign Up", exact: true }).click();
      await page.getByRole(javaScriptEnabled ? "button" : "link", { name: "OK" }).click();
      await expect(page).toHaveURL(`/search/${writer.id}`);
      const now = wanted ? "Following" : "Follow";
      await expect(page.getByRole("button", { name: now, exact: true })).toBeVisible();
    }
  });
}

test("the column beside a visitor's pages begins at the same height as they do", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Same", secondName: "Height" });
  await post(postcard, writer, { caption: "A line.\n".repeat(60) });
  const page = await open(null, { viewport: desktop });
  for (const path of ["/search", `/profile/followers/${writer.id}`]) {
    await page.goto(path);
    const beside = await page.getByRole("complementary", { name: "About" }).boundingBox();
    const main = await page.locator("main").boundingBox();
    expect(beside?.y, path).toBe(main?.y);
  }
});

test("a visitor reads profiles, lists and posts; what does not exist is a real 404", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Open", secondName: "House" });
  const path = await post(postcard, writer, { caption: "Come in." });
  const page = await open(null, { expects: /status of 404/ });
  for (const open of [
    path,
    path.toUpperCase().replace(/^\/POST/, "/Post"),
    `/post/${encodeURIComponent(writer.email)}/1`,
    `/search/${writer.id}?tab=texts`,
  ]) {
    expect((await page.goto(open))?.status(), open).toBe(200);
    await expect(page.getByText("Come in.")).toBeVisible();
    expect(await page.content()).not.toContain(writer.email);
  }
  for (const list of ["followers", "following"]) {
    expect((await page.goto(`/profile/${list}/${writer.id}`))?.status()).toBe(200);
    await expect(page.getByText("No one yet")).toBeVisible();
  }
  const nobody = "01900000-0000-7000-8000-000000000000";
  for (const missing of [
    `/post/${writer.username}/2`,
    `/post/${writer.username}/01`,
    "/post/nobody_at_all/1",
    `/search/${nobody}`,
    "/search/not-an-id",
    `/profile/followers/${nobody}`,
    "/no/such/page",
  ]) {
    expect((await page.goto(missing))?.status(), missing).toBe(404);
  }
});

test("times are the reader's own, in words, and exact on hover", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Tick", secondName: "Tock" });
  const path = await post(postcard, writer, { caption: "Now." });
  const shown: string[] = [];
  for (const timezoneId of ["Asia/Tokyo", "America/St_Johns"]) {
    const page = await open(null, { timezoneId });
    await page.goto(path);
    const time = page.locator("time").first();
    await expect(time).toHaveAttribute("title", new RegExp(timezoneId));
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const format = {
      hour: "numeric",
      minute: "2-digit",
      hour12: true,
      timeZone: timezoneId,
    } as const;
    const clock = at.toLocaleTimeString("en-US", format).replace(/\s/g, " ").toLowerCase();
    await expect(time).toHaveText(new RegExp(`^(Today|Yesterday), ${clock}$`));
    shown.push(await time.innerText());
    // The next page already comes from the server in that zone.
    await page.reload({ waitUntil: "commit" });
    expect(await (await page.request.get(path)).text()).toContain(clock);
  }
  expect(shown[0]).not.toBe(shown[1]);
});
