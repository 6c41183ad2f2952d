/**
 * Phanpy, a client in the browser that others wrote, against a Postcard of its own: what a member does with it.
 * PHANPY_BUILD names the folder of its build (`dist`); SCREENS a folder for pictures of each step.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { call, launchBrowser, photo, post, startProxy, startSteps, until } from "./browser.ts";
import { appWithPeople, password, runSuite, succeeds } from "./server.ts";

const names = { postcard: "postcard.test", phanpy: "phanpy.test" };
const { PHANPY_BUILD: build = "" } = process.env;

/** docs: https://github.com/cheeaun/phanpy; everything by what stands on its screens. */
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
    const { step, picture, failed } = await startSteps("1280");
    const { people } = await appWithPeople(local, ["ada", "bob", "cleo"]);
    const [, bob = "", cleo = ""] = people.map((one) => one["access_token"] ?? "");
    const bobs = await call(local, bob, "/api/v1/accounts/verify_credentials");
    for (let at = 1; at <= 45; at += 1)
      await post(local, bob, `Post number ${at} of Bob's`, at % 9 === 0 ? 2 : 0);
    const browser = await launchBrowser(proxy);
    try {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport: { width: 1280, height: 900 },
      });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") console.log("  console:", message.text().slice(0, 200));
      });
      const home = `https://${names.phanpy}`;

      await step(page, "signs in, and lets the app in", async () => {
        await page.goto(`${home}/#/login`);
        await page.locator("#instanceURL").fill(names.postcard);
        const opened = page.waitForEvent("popup");
        await page
          .getByRole("button", { name: /continue|log in/i })
          .first()
          .click();
        const popup = await opened;
        await popup.getByLabel("Email").fill("ada@example.org");
        await popup.getByLabel("Password", { exact: true }).fill(password);
        await popup.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
        await popup.getByText("Signed In Successfully").waitFor();
        await popup.keyboard.press("Escape");
        await popup.getByText("Phanpy wants to use your account.").waitFor();
        await picture(popup, "consent");
        const closed = popup.waitForEvent("close");
        await popup.getByRole("button", { name: "Connect", exact: true }).click();
        await closed.catch(async (error: unknown) => {
          await picture(popup, "popup");
          console.log("  popup:", popup.url());
          throw error;
        });
        await page.waitForURL(/#\/(?:$|\?)|phanpy\.test\/$/);
        await page.locator("#home-page, .deck-container").first().waitFor();
      });
      const signedIn = () =>
        page.evaluate(
          () => JSON.parse(localStorage.getItem("accounts") ?? "[]")[0]?.accessToken as string,
        );
      const token = await signedIn().catch(() => "");
      console.log("  token:", token ? "there" : "none");

      await step(page, "follows somebody", async () => {
        await page.goto(`${home}/#/${names.postcard}/a/${String(bobs["id"])}`);
        await page.getByRole("button", { name: "Follow", exact: true }).click();
        await page
          .getByRole("button", { name: /Following/ })
          .first()
          .waitFor();
      });
      await step(page, "sees home, photos among it, and two pages down", async () => {
        await page.goto(`${home}/#/`);
        await page.reload();
        await page.getByText("Post number 45 of Bob's").first().waitFor();
        await page.locator(".media-image img, .media img").first().waitFor();
        for (const text of ["Post number 20 of Bob's", "Post number 2 of Bob's"]) {
          for (let at = 0; at < 40 && !(await page.getByText(text).first().isVisible()); at += 1) {
            await page.mouse.move(640, 500);
            await page.mouse.wheel(0, 2500);
            await page.waitForTimeout(300);
          }
          await page.getByText(text).first().waitFor();
        }
      });
      const ofBob = await post(local, bob, "What Ada answers", 2);
      const shown = () => call(local, token, `/api/v1/statuses/${ofBob}`);
      await step(page, "likes a post", async () => {
        await page.goto(`${home}/#/${names.postcard}/s/${ofBob}`);
        await page.locator("button.favourite-button").first().click();
        await until(async () => (await shown())["favourited"] === true);
      });
      await step(page, "saves it", async () => {
        await page.locator("button.bookmark-button").first().click();
        await until(async () => (await shown())["bookmarked"] === true);
      });
      await step(page, "comments on it", async () => {
        await page
          .locator(".reply-button, button[title='Comment'], button[title='Reply']")
          .first()
          .click();
        await page.locator("#compose-container textarea").first().fill("An answer from elsewhere");
        await page.locator("#compose-container button[type='submit']").first().click();
        await until(async () => (await shown())["replies_count"] === 1);
      });
      await step(page, "posts two photos with descriptions", async () => {
        await page.goto(`${home}/#/`);
        await page.reload();
        await page.locator("#compose-button").first().click();
        await page.locator("#compose-container textarea").first().fill("Two photos from elsewhere");
        const buffer = await photo("teal");
        const file = (name: string) => ({ name, mimeType: "image/jpeg", buffer });
        await page
          .locator("#compose-container input[type='file']")
          .first()
          .setInputFiles([file("a.jpg"), file("b.jpg")]);
        for (const [at, words] of ["The first photo", "The second photo"].entries()) {
          await page.locator(".media-attachment .media-desc").nth(at).click();
          await page.locator("#media-sheet textarea").fill(words);
          await page
            .locator("#media-sheet button")
            .filter({ hasText: /Done|OK|Close/ })
            .first()
            .click();
        }
        await page.locator("#compose-container button[type='submit']").first().click();
        await until(async () => {
          const [newest] = (await call(local, token, "/api/v1/accounts/verify_credentials").then(
            ({ id }) => call(local, token, `/api/v1/accounts/${String(id)}/statuses`),
          )) as unknown as { media_attachments: { description: string }[] }[];
          return (
            newest?.media_attachments.map(({ description }) => description).join() ===
            "The first photo,The second photo"
          );
        });
      });
      await step(page, "hears of a follower by itself", async () => {
        await page.goto(`${home}/#/notifications`);
        await page.waitForTimeout(3000);
        const me = await call(local, token, "/api/v1/accounts/verify_credentials");
        await call(local, cleo, `/api/v1/accounts/${String(me["id"])}/follow`, { method: "POST" });
        await page
          .getByText(/new notifications|cleo/i)
          .first()
          .waitFor();
      });
      await step(page, "finds somebody by name", async () => {
        await page.goto(`${home}/#/search?q=cleo`);
        await page.getByText("@cleo").first().waitFor();
      });
    } finally {
      await browser.close();
      proxy.close();
    }
    return failed() > 0 ? 1 : 0;
  },
  (port) => ({ PORT: port, PUBLIC_URL: `https://${names.postcard}` }),
);
