/**
 * Elk, a third-party client in the browser, against its own Postcard: what a member does with it, on a
 * desktop and on a phone. ELK_BUILD names the folder of its build (`.output`); SCREENS a folder for
 * screenshots of each step.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { call, launchBrowser, photo, post, startProxy, startSteps, until } from "./browser.ts";
import type { Hosts } from "./browser.ts";
import { startElk } from "./elk-server.ts";
import { appWithAccounts, password, runSuite, succeeds } from "./server.ts";

const names = { postcard: "postcard.test", elk: "elk.test" };
const home = `https://${names.elk}`;
const { ELK_BUILD: build = "" } = process.env;
const program = join(build, "server", "index.mjs");
const posts = 65;

const asksForNotifications = ({ payload }: { payload: string | Buffer }) =>
  /"subscribe".*user:notification/.test(`${payload}`);

type Visit = {
  browser: Browser;
  /** where Postcard listens */
  local: string;
  width: number;
  member: string;
  /** tokens of two others: one whose posts the member reads, and one who follows */
  author: string;
  friend: string;
};

/** Finds everything by what its screens show; then asks Postcard for the result. */
async function visit({ local, browser, width, member, author, friend }: Visit): Promise<number> {
  const { step, screenshot, failed } = await startSteps(String(width));
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width, height: 900 },
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(() => {
    // A script cannot use Chromium's own file picker; it can use the usual one.
    Reflect.deleteProperty(globalThis, "showOpenFilePicker");
    // Elk's composer waits for it, and it would download a model.
    Reflect.deleteProperty(globalThis, "LanguageDetector");
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.log("  page:", error.message.slice(0, 200)));
  page.on("response", (answer) => {
    if (answer.status() < 400 || !answer.url().includes(names.postcard)) return;
    console.log(`  ${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  const seen = (name: string | RegExp) =>
    page.getByRole("button", { name }).filter({ visible: true }).first();

  await step(page, "signs in, and lets the app in", async () => {
    await page.goto(home);
    // It leads on to the public posts of its usual server.
    await page.waitForURL(({ pathname }) => pathname !== "/");
    await seen("Sign in").click();
    const form = page.locator("form").filter({ has: page.locator("input[inputmode='url']") });
    await form.locator("input").fill(names.postcard);
    await form.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(`${member}@example.org`);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    const done = page.getByRole("dialog", { name: "Success" });
    await done.getByText("Signed In Successfully").waitFor();
    await done.getByText("OK", { exact: true }).click();
    await page.getByText(/^Elk .*wants to use your account\.$/).waitFor();
    await screenshot(page, "consent");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.waitForURL(`${home}/home`);
    await until(async () => (await tokenIn(page)) !== "");
  });
  const token = await tokenIn(page);
  if (token === "") return failed();
  const me = () => call(local, token, "/api/v1/accounts/verify_credentials");
  const status = (id: string) => call(local, token, `/api/v1/statuses/${id}`);
  const { id: own } = await me();

  await step(page, "follows somebody", async () => {
    await page.goto(`${home}/${names.postcard}/@bob`);
    await seen("Follow").click();
    await seen(/Following|Unfollow/).waitFor();
    await until(async () => (await me())["following_count"] === 1);
  });
  await step(page, "sees home, photos among it, and two pages down", async () => {
    await page.goto(`${home}/home`);
    await page.getByText(`Post number ${posts} of Bob's`).first().waitFor();
    const shown = page.getByAltText("A plain colour, number 1").first();
    await until(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await screenshot(page, "home");
    for (const text of [33, 2].map((number) => `Post number ${number} of Bob's`)) {
      // Its list only renders what is near.
      for (let at = 0; at < 100 && !(await page.getByText(text).first().isVisible()); at += 1) {
        await page.mouse.move(width / 2, 500);
        await page.mouse.wheel(0, 500);
        await page.waitForTimeout(150);
      }
      await page.getByText(text).first().waitFor();
    }
  });

  const answered = await post(local, author, `What ${member} answers`, 2);
  await step(page, "likes a post", async () => {
    await page.goto(`${home}/${names.postcard}/@bob/${answered}`);
    await page.getByText(`What ${member} answers`).first().waitFor();
    await seen("Favorite").click();
    await until(async () => (await status(answered))["favourited"] === true);
  });
  await step(page, "saves it", async () => {
    await seen("Bookmark").click();
    await until(async () => (await status(answered))["bookmarked"] === true);
  });
  await step(page, "comments on it", async () => {
    await page.locator(".ProseMirror").first().click();
    await page.keyboard.type("An answer from elsewhere");
    await page.locator(".publish-button").first().click();
    await until(async () => (await status(answered))["replies_count"] === 1);
  });
  await step(page, "names somebody from their profile", async () => {
    await page.goto(`${home}/${names.postcard}/@bob`);
    await seen(/more$/i).click();
    await page.getByRole("button", { name: /^Mention @bob/ }).click();
    const editor = page.locator(".ProseMirror").filter({ visible: true }).last();
    await editor.getByText("@bob").waitFor();
    await editor.press("End");
    await page.keyboard.type("look at this");
    await page.locator(".publish-button").filter({ visible: true }).last().click();
    await until(async () => {
      const list = await call(local, token, `/api/v1/accounts/${String(own)}/statuses`);
      const [newest] = list as unknown as { content: string }[];
      return /class="u-url mention">@<span>bob<.*look at this/.test(newest?.content ?? "");
    });
  });
  await step(page, "posts two photos with descriptions", async () => {
    await page.goto(`${home}/compose`);
    await page.locator(".ProseMirror").first().click();
    await page.keyboard.type("Two photos from elsewhere");
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: /Add images/ }).click();
    const files = [];
    for (const name of ["teal", "orange"])
      files.push({ name: `${name}.jpg`, mimeType: "image/jpeg", buffer: await photo(name) });
    await (await chosen).setFiles(files);
    const edit = page.getByRole("button", { name: "Edit", exact: true });
    await edit.nth(1).waitFor();
    for (const [at, words] of ["The first photo", "The second photo"].entries()) {
      await edit.nth(at).click();
      await page.locator("textarea").fill(words);
      await page.getByRole("button", { name: "Apply" }).click();
      await page.locator("textarea").waitFor({ state: "hidden" });
    }
    await screenshot(page, "composer");
    await page.locator(".publish-button").first().click();
    await until(async () => {
      const list = await call(local, token, `/api/v1/accounts/${String(own)}/statuses`);
      const [newest] = list as unknown as { media_attachments: { description: string }[] }[];
      const alts = newest?.media_attachments.map(({ description }) => description);
      return alts?.join() === "The first photo,The second photo";
    });
  });
  await step(page, "hears of a follower by itself", async () => {
    const listens = async () => {
      const socket = await page.waitForEvent("websocket");
      await socket.waitForEvent("framesent", asksForNotifications);
    };
    await Promise.all([
      listens(),
      page.goto(`${home}/notifications`),
      page.getByText("End of the list").waitFor(),
    ]);
    await page.waitForTimeout(3000);
    await call(local, friend, `/api/v1/accounts/${String(own)}/follow`, { method: "POST" });
    await page.getByText("Show 1 new item").click();
    await page.getByText("cleo").first().waitFor();
  });
  await step(page, "finds somebody by name", async () => {
    await page.goto(`${home}/search`);
    const field = page.getByPlaceholder("Search").filter({ visible: true }).first();
    await field.click();
    await field.pressSequentially("cleo");
    await page.locator("a", { hasText: "@cleo" }).filter({ visible: true }).first().click();
    await page.waitForURL(/@cleo/);
    await seen(/Follow/).waitFor();
  });
  await step(page, "edits the profile: name, bio and avatar", async () => {
    const { avatar: before } = await me();
    await page.goto(`${home}/settings/profile/appearance`);
    await page.getByLabel("Display name").fill("Ada Elsewhere");
    await page.getByLabel("Bio").fill("Words about me, from elsewhere");
    const chosen = page.waitForEvent("filechooser");
    await page.locator("form label.rounded-full, form label[rounded-full]").first().click();
    const buffer = await photo("purple");
    await (await chosen).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
    await page.getByRole("button", { name: "Confirm" }).filter({ visible: true }).click();
    await screenshot(page, "profile");
    await page.getByRole("button", { name: "Save" }).click();
    await until(async () => {
      const { display_name: name, note, avatar } = await me();
      const said = name === "Ada Elsewhere" && note === "<p>Words about me, from elsewhere</p>";
      return said && avatar !== before && /\/images\//.test(String(avatar));
    });
  });
  await step(page, "signs out", async () => {
    await page.goto(`${home}/home`);
    if (width < 640) await page.locator(".v-popper img").filter({ visible: true }).first().click();
    else await seen("Switch account").click();
    await page.getByText(`Sign out @${member}`).click();
    await seen("Sign in").waitFor();
  });
  // Elk forgets its token without informing its server: members revoke it where they authorised the app.
  await step(
    page,
    "disconnects the app in Postcard's settings, and the token is dead",
    async () => {
      await page.goto(`https://${names.postcard}/settings/security`);
      await page.getByRole("link", { name: "Connected apps" }).click();
      await page.getByRole("button", { name: /^Disconnect Elk/ }).click();
      await page.getByText("That app is disconnected.").waitFor();
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${local}/api/v1/accounts/verify_credentials`, { headers });
      if (answer.status !== 401) throw new Error(`The token still answers ${answer.status}.`);
    },
  );
  await context.close();
  return failed();
}

/** Elk's stored users, in a database of the browser. */
async function tokenIn(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => {
    // Opening it before Elk does would leave it empty for good.
    if (!(await indexedDB.databases()).some(({ name }) => name === "keyval-store")) return "";
    const opened = indexedDB.open("keyval-store");
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const rows = opened.result.transaction("keyval").objectStore("keyval").getAll();
    await new Promise((resolve) => (rows.onsuccess = resolve));
    return JSON.stringify(rows.result);
  });
  return /"token":"([^"]+)"/.exec(stored)?.[1] ?? "";
}

/** docs: https://github.com/elk-zone/elk */
await runSuite(
  "elk",
  async () => {
    if (!existsSync(program)) return "ELK_BUILD names no build of it.";
    return (await succeeds("openssl", ["version"]))
      ? null
      : "there is no openssl for a certificate.";
  },
  async ({ folder, local }) => {
    const hosts: Hosts = { [names.postcard]: Number(new URL(local).port), [names.elk]: "" };
    const proxy = await startProxy(folder, hosts);
    const elk = await startElk(program, folder, proxy);
    hosts[names.elk] = elk.port;
    const browser = await launchBrowser(proxy);
    try {
      const { people } = await appWithAccounts(local, ["ada", "dora", "bob", "cleo"]);
      const [author = "", friend = ""] = people.slice(2).map((one) => one["access_token"] ?? "");
      for (let at = 1; at <= posts; at += 1)
        await post(local, author, `Post number ${at} of Bob's`, at % 9 === 0 ? 2 : 0);
      const visits = { browser, local, author, friend };
      const desktop = await visit({ ...visits, width: 1280, member: "ada" });
      const phone = await visit({ ...visits, width: 390, member: "dora" });
      return desktop + phone > 0 ? 1 : 0;
    } finally {
      await browser.close();
      await elk.stop();
      proxy.close();
    }
  },
  (port) => ({ PORT: port, PUBLIC_URL: `https://${names.postcard}` }),
);
