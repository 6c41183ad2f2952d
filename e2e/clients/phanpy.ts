/**
 * Phanpy, a third-party client in the browser, against its own Postcard: what a member does with it, on a
 * desktop and on a phone. PHANPY_BUILD names the folder of its build (`dist`); SCREENS a folder for
 * screenshots of each step. docs: https://github.com/cheeaun/phanpy; finds everything by what its screens
 * show, then asks Postcard for the result.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import {
  call,
  framesOf,
  launchBrowser,
  photo,
  post,
  startProxy,
  startSteps,
  until,
} from "./browser.ts";
import { endFile } from "#server/test/after-file.ts";
import { deliver, startPush, subscribePages, type PushService } from "./push.ts";
import { appWithAccounts, password, runSuite, succeeds } from "./server.ts";

const names = { postcard: "postcard.test", phanpy: "phanpy.test" };
const home = `https://${names.phanpy}`;
const { PHANPY_BUILD: build = "" } = process.env;

type Account = { id: string; display_name: string; note: string; avatar: string };
type Job = {
  browser: Browser;
  /** where Postcard listens */
  local: string;
  username: string;
  /** tokens of the two others */
  bob: string;
  cleo: string;
  push: PushService;
};

const push = await startPush();
await runSuite(
  "phanpy",
  async () => {
    if (!existsSync(join(build, "index.html"))) return "PHANPY_BUILD names no build of it.";
    return (await succeeds("openssl", ["version"]))
      ? null
      : "there is no openssl for a certificate.";
  },
  async ({ folder, local }) => {
    const proxy = await startProxy(folder, {
      [names.postcard]: Number(new URL(local).port),
      [names.phanpy]: build,
    });
    const { people } = await appWithAccounts(local, ["ada", "dora", "bob", "cleo"]);
    const [bob = "", cleo = ""] = people.slice(2).map((one) => one["access_token"] ?? "");
    for (let at = 1; at <= 45; at += 1)
      await post(local, bob, `Post number ${at} of Bob's`, at % 9 === 0 ? 2 : 0);
    const browser = await launchBrowser(proxy);
    try {
      const desktop = { viewport: { width: 1280, height: 900 } };
      const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
      const others = { browser, local, bob, cleo, push: push.service };
      const failed = [
        await mainJob({ ...others, username: "ada" }, desktop),
        await mainJob({ ...others, username: "dora" }, phone),
      ];
      return failed.some((count) => count > 0) ? 1 : 0;
    } finally {
      await browser.close();
      proxy.close();
    }
  },
  (port) => ({ PORT: port, PUBLIC_URL: `https://${names.postcard}`, ...push.settings }),
);
await endFile();

/** Returns how many steps failed. */
async function mainJob(
  { browser, local, username, bob, cleo, push }: Job,
  options: BrowserContextOptions,
): Promise<number> {
  const { step, screenshot, failed } = await startSteps(String(options.viewport?.width));
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  context.setDefaultTimeout(20_000);
  const pushed = await subscribePages(context, home, push);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") console.log("  console:", message.text().slice(0, 200));
  });
  page.on("dialog", (dialog) => {
    console.log("  dialog:", dialog.message());
    void dialog.dismiss();
  });
  const frames = framesOf(page);

  await step(page, "signs in, and lets the app in", async () => {
    await page.goto(`${home}/#/login`);
    await page.locator("#instanceURL").fill(names.postcard);
    const opened = page.waitForEvent("popup");
    const go = page.getByRole("button", { name: /continue|log in/i });
    await go.first().click();
    const popup = await opened;
    await popup.getByLabel("Email").fill(`${username}@example.org`);
    await popup.getByLabel("Password", { exact: true }).fill(password);
    await popup.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    await popup.getByText("Signed In Successfully").waitFor();
    // A link until the page's scripts have loaded, then a button.
    await popup.getByRole("dialog").getByText("OK", { exact: true }).click();
    await popup.getByText("Phanpy wants to use your account.").waitFor();
    await screenshot(popup, "consent");
    const closed = popup.waitForEvent("close");
    await popup.getByRole("button", { name: "Connect", exact: true }).click();
    await closed;
    await page.locator("#home-page").waitFor();
  });
  const storedToken = () =>
    page.evaluate(
      () => JSON.parse(localStorage.getItem("accounts") ?? "[]")[0]?.accessToken as string,
    );
  const token = await storedToken().catch(() => "");
  const me = async () =>
    (await call(local, token, "/api/v1/accounts/verify_credentials")) as Account;
  const { id: myId } = await me().catch(() => ({ id: "" }));
  const { id: bobsId } = await call(local, bob, "/api/v1/accounts/verify_credentials");

  await step(page, "follows somebody", async () => {
    await page.goto(`${home}/#/${names.postcard}/a/${String(bobsId)}`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await until(async () => {
      const asked = `/api/v1/accounts/relationships?id=${String(bobsId)}`;
      const [relation] = (await call(local, token, asked)) as unknown as { following: boolean }[];
      return relation?.following === true;
    });
  });
  await step(page, "sees home, photos among it, and two pages down", async () => {
    await page.goto(`${home}/#/`);
    // It was loaded before there was anybody to follow; reloading the page would end the app's stream.
    await page.locator("#home-page header").first().dblclick();
    await page.getByText("Post number 45 of Bob's").first().waitFor();
    const shown = page.locator("#home-page .media-image img").first();
    await shown.scrollIntoViewIfNeeded();
    await until(() =>
      shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    );
    await screenshot(page, "home");
    for (const text of ["Post number 20 of Bob's", "Post number 2 of Bob's"]) {
      const there = page.getByText(text).first();
      for (let at = 0; at < 60 && !(await there.isVisible()); at += 1) {
        await page.mouse.move(200, 500);
        await page.mouse.wheel(0, 2500);
        await page.waitForTimeout(300);
      }
      await there.waitFor();
    }
    await screenshot(page, "two-pages-down");
    // Its bars hide while scrolling down.
    await page.mouse.wheel(0, -100_000);
    await page.locator("#compose-button").first().waitFor();
  });
  const ofBob = await post(local, bob, `What ${username} answers`, 2);
  const itsState = () => call(local, token, `/api/v1/statuses/${ofBob}`);
  await step(page, "likes a post", async () => {
    await page.goto(`${home}/#/${names.postcard}/s/${ofBob}`);
    await page.locator("button.favourite-button").first().click();
    await until(async () => (await itsState())["favourited"] === true);
  });
  await step(page, "saves it", async () => {
    await page.locator("button.bookmark-button").first().click();
    await until(async () => (await itsState())["bookmarked"] === true);
  });
  const composer = page.locator("#compose-container");
  await step(page, "comments on it", async () => {
    await page.locator(".reply-button").first().click();
    await composer.locator("textarea").first().fill("An answer from elsewhere");
    await composer.locator("button[type='submit']").click();
    await until(async () => (await itsState())["replies_count"] === 1);
    await composer.waitFor({ state: "detached" });
  });
  async function compose(caption: string, described: Record<string, string>): Promise<void> {
    await page.goto(`${home}/#/`);
    await page.locator("#compose-button").first().click();
    await composer.locator("textarea").first().fill(caption);
    const files = Object.keys(described).map(async (colour) => ({
      name: `${colour}.jpg`,
      mimeType: "image/jpeg",
      buffer: await photo(colour),
    }));
    await composer
      .locator("input[type='file']")
      .first()
      .setInputFiles(await Promise.all(files));
    const sheet = page.locator("#media-sheet");
    for (const [at, words] of Object.values(described).entries()) {
      // The thumbnail opens the dialog, which saves its text a quarter of a second after the last key.
      await composer.locator(".media-attachment .media-preview").nth(at).click();
      await sheet.locator("textarea").fill(words);
      await screenshot(page, `description-${at + 1}`);
      await page.waitForTimeout(500);
      await sheet.getByRole("button", { name: "Done" }).click();
      await sheet.waitFor({ state: "detached" });
    }
  }
  /** Sends it, and returns the post once it is there. */
  async function send(descriptions: readonly string[]) {
    await composer.locator("button[type='submit']").click();
    type Posted = { id: string; visibility: string; media_attachments: { description: string }[] };
    let newest: Posted | undefined;
    await until(async () => {
      const asked = `/api/v1/accounts/${myId}/statuses`;
      [newest] = (await call(local, token, asked)) as unknown as Posted[];
      const said = newest?.media_attachments.map(({ description }) => description);
      return said?.join() === descriptions.join();
    });
    await composer.waitFor({ state: "detached" });
    return newest;
  }
  await step(page, "posts two photos with descriptions", async () => {
    const described = { teal: "The first photo", orange: "The second photo" };
    await compose("Two photos from elsewhere", described);
    await send(Object.values(described));
  });
  await step(page, "posts a photo for followers and shows it; a stranger finds none", async () => {
    await compose("For followers", { olive: "A photo for some" });
    await composer.locator("select[name='visibility']").selectOption("private");
    const { id = "", visibility } = (await send(["A photo for some"])) ?? {};
    if (visibility !== "private") throw new Error(`It is ${String(visibility)}.`);
    await page.goto(`${home}/#/${names.postcard}/s/${id}`);
    const shown = page.locator(".media-image img").first();
    await until(() =>
      shown.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0).catch(() => false),
    );
    const asked = await call(local, cleo, `/api/v1/statuses/${id}`).catch(String);
    if (!String(asked).includes("answered 404")) throw new Error("A stranger found it.");
  });
  await step(page, "posts a photo behind a content warning", async () => {
    await compose("Sausages, close", { maroon: "A sausage" });
    const name = "Add content warning";
    if (options.isMobile) {
      // Where there is little room, its buttons are entries of a menu.
      await composer.locator(".add-button").click();
      await page.getByRole("menuitem", { name }).click();
    } else await composer.getByRole("button", { name }).click();
    await composer.locator(".spoiler-text-field").fill("Meat, raw");
    await screenshot(page, "warning");
    const { id = "" } = (await send(["A sausage"])) ?? {};
    const stored = await call(local, cleo, `/api/v1/statuses/${id}`);
    if (stored["spoiler_text"] !== "Meat, raw" || stored["sensitive"] !== true)
      throw new Error(JSON.stringify(stored));
  });
  await step(page, "finds a photo behind somebody's warning, and opens it", async () => {
    const id = await post(local, bob, "Fish, close", 1, { spoiler_text: "Fish, raw" });
    await page.goto(`${home}/#/${names.postcard}/a/${String(bobsId)}`);
    const status = page.locator(`[data-state-post-id$="${id}"]`).first();
    await status.getByText("Fish, raw").waitFor();
    await screenshot(page, "veiled");
    const content = status.locator(".content-container.has-spoiler");
    await content.locator(".spoiler-button").first().click();
    await status.locator(".content-container.show-spoiler").waitFor();
    await screenshot(page, "unveiled");
  });
  await step(page, "is pushed a like, and opens it from the notification", async () => {
    await page.goto(`${home}/#/`);
    await page.locator(".nav-menu-button").first().click();
    await page.getByRole("menuitem", { name: "Settings…" }).click();
    const form = page.locator("form").filter({ hasText: "Push Notifications" });
    await form.locator("[name='policy-allow']").check();
    await form.locator("[name='favourite']").check();
    await screenshot(page, "push");
    await until(async () =>
      call(local, token, "/api/v1/push/subscription").then(
        ({ alerts }) => (alerts as { favourite: boolean }).favourite,
        () => false,
      ),
    );
    await page.keyboard.press("Escape");
    const [own] = (await call(local, token, `/api/v1/accounts/${myId}/statuses`)) as unknown as {
      id: string;
    }[];
    await call(local, cleo, `/api/v1/statuses/${own?.id}/favourite`, { method: "POST" });
    await until(async () => pushed().some((text) => text.includes("favourite")));
    const text = pushed().find((one) => one.includes("favourite")) ?? "";
    if ((JSON.parse(text) as { access_token: string }).access_token !== token)
      throw new Error(`It is not this account's: ${text}`);
    await deliver(page, home, text);
    const sheet = page.locator("#modal-container .notification-peek");
    await sheet.filter({ hasText: "cleo" }).waitFor();
    await screenshot(page, "pushed");
    await page.locator(".sheet-close").last().click();
  });
  await step(page, "hears of a follower by itself", async () => {
    await page.goto(`${home}/#/`);
    // Opened three seconds after the sign-in. After a reload it polls every 20 seconds instead.
    await until(async () => frames.sent.some((frame) => frame.includes("user:notification")));
    await call(local, cleo, `/api/v1/accounts/${myId}/follow`, { method: "POST" });
    await until(async () => frames.received.some((frame) => /"event":"notification"/.test(frame)));
    const bell = page.locator(".notifications-button");
    await page.locator(".notifications-button.has-badge").waitFor();
    await screenshot(page, "badge");
    await bell.click();
    await page.locator(".notification").filter({ hasText: "cleo" }).first().waitFor();
  });
  await step(page, "finds somebody by name", async () => {
    await page.goto(`${home}/#/search`);
    const field = page.locator("#search-page input[type='search']");
    // Text typed while its page is still being drawn gets lost: its suggestions show what it received.
    await until(async () => {
      await field.fill("cleo");
      return page.locator(".search-popover-item").first().isVisible();
    });
    await field.press("Enter");
    await page.locator("#search-page .account-block").filter({ hasText: "cleo" }).first().waitFor();
  });
  await step(page, "mutes a word by a filter, and reads that it hides", async () => {
    await page.goto(`${home}/#/ft`);
    await page.locator("#filters-page header button").last().click();
    const sheet = page.locator("#filters-add-edit-modal");
    await sheet.locator("[name='title']").fill("Fractions");
    await sheet.getByRole("button", { name: "Add keyword" }).click();
    await sheet.locator("[name='keyword_attributes[][keyword]']").fill("sevenths");
    await screenshot(page, "filter");
    await sheet.getByRole("button", { name: "Create" }).click();
    await sheet.waitFor({ state: "detached" });
    await page.locator(".filters-list").getByText("Fractions").waitFor();
    const filters = (await call(local, token, "/api/v2/filters")) as unknown as object[];
    if (!JSON.stringify(filters).includes('"filter_action":"hide"'))
      throw new Error(JSON.stringify(filters));
    const muted = await post(local, bob, "Two sevenths", 0);
    const shown = await post(local, bob, `In words, for ${username}`, 0);
    const asked = JSON.stringify(await call(local, token, "/api/v1/timelines/home"));
    if (asked.includes(muted) || !asked.includes(shown)) throw new Error("Home has the word.");
  });
  await step(page, "edits the profile: name, bio and avatar", async () => {
    const before = await me();
    await page.goto(`${home}/#/${names.postcard}/a/${myId}`);
    await page.getByRole("button", { name: "Edit profile" }).click();
    const sheet = page.locator("#edit-profile-container");
    await sheet.locator("[name='display_name']").fill(`${username} from elsewhere`);
    await sheet.locator("[name='note']").fill("Walks, and takes photos.");
    const buffer = await photo("crimson");
    const file = { name: "me.jpg", mimeType: "image/jpeg", buffer };
    await sheet.locator("input[name='avatar']").setInputFiles(file);
    await screenshot(page, "profile");
    await sheet.getByRole("button", { name: "Save" }).click();
    await sheet.waitFor({ state: "detached" });
    const after = await me();
    if (after.display_name !== `${username} from elsewhere`) throw new Error(after.display_name);
    if (!after.note.includes("Walks, and takes photos.")) throw new Error(after.note);
    if (after.avatar === before.avatar) throw new Error(`The avatar is still ${after.avatar}`);
    await page.getByText(`${username} from elsewhere`).first().waitFor();
  });
  await step(page, "signs out, and its token is dead", async () => {
    await page.goto(`${home}/#/`);
    await page.locator(".nav-menu-button").first().click();
    await page.getByRole("menuitem", { name: "Accounts…" }).click();
    const sheet = page.locator("#accounts-container");
    await sheet.locator(".more-button").click();
    await page.getByRole("menuitem", { name: "Log out…" }).click();
    await page.getByRole("menuitem", { name: `Log out @${username}` }).click();
    await sheet.getByText("Logged out").waitFor();
    const url = new URL("/api/v1/accounts/verify_credentials", local);
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (status !== 401) throw new Error(`Its token was answered with ${status}.`);
  });
  await context.close();
  return failed();
}
