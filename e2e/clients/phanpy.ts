/**
 * Phanpy, a client in the browser that others wrote, against a Postcard of its own: what a member does with it.
 * PHANPY_BUILD names the folder of its build (`dist`); SCREENS a folder for pictures of each step.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { request as ask, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { appWithPeople, password, runSuite, succeeds } from "./server.ts";

const names = { postcard: "postcard.test", phanpy: "phanpy.test" };
const { PHANPY_BUILD: build = "", SCREENS: screens = "" } = process.env;
const run = promisify(execFile);

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** One address with TLS for both: the app's files, and everything of Postcard's, WebSockets too. */
async function startProxy(folder: string, port: number): Promise<Server> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const asked = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=postcard.test".split(" ");
  await run("openssl", [...asked, "-keyout", key, "-out", cert]);
  const server = createServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (request, response) => {
      const { method, headers, url = "/" } = request;
      if (headers.host === names.phanpy) return void serveFile(url, response);
      const passed = { ...headers, "x-forwarded-for": "127.0.0.1" };
      const there = ask(
        { host: "127.0.0.1", port, method, path: url, headers: passed },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      there.on("error", () => response.destroy());
      response.on("close", () => there.destroy());
      request.pipe(there);
    },
  );
  server.on("upgrade", (request, socket: Socket, head) => {
    const there = connect(port, "127.0.0.1", () => {
      const { rawHeaders } = request;
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      there.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    for (const one of [there, socket]) one.on("error", () => (there.destroy(), socket.destroy()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

async function serveFile(url: string, response: ServerResponse): Promise<void> {
  const path = join(build, normalize(decodeURIComponent(url.split("?")[0] ?? "/")));
  const file = path.endsWith("/") ? join(path, "index.html") : path;
  const found = existsSync(file);
  response.writeHead(found ? 200 : 404, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
  });
  response.end(found ? await readFile(file) : "");
}

type Step = { name: string; result: string };
const steps: Step[] = [];

/** One thing that a member does; what follows a step that fails is tried all the same. */
async function step(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
    steps.push({ name, result: "done" });
  } catch (error) {
    steps.push({ name, result: `FAILED: ${(error as Error).message.split("\n")[0]}` });
  }
  console.log(`${steps.length}. ${name}: ${steps.at(-1)?.result}`);
  if (screens) await page.screenshot({ path: join(screens, `${steps.length}.png`) });
}

async function post(url: string, token: string, status: string, photos: number): Promise<string> {
  const media_ids: string[] = [];
  for (let at = 0; at < photos; at += 1) {
    const form = new FormData();
    const background = { r: (at * 90 + status.length * 7) % 256, g: 120, b: 200 };
    const file = await sharp({ create: { width: 1200, height: 800, channels: 3, background } })
      .jpeg()
      .toBuffer();
    form.set("file", new Blob([new Uint8Array(file)], { type: "image/jpeg" }), "photo.jpg");
    form.set("description", `A plain colour, number ${at + 1}`);
    const made = await call(url, token, "/api/v2/media", { method: "POST", body: form });
    media_ids.push(String(made["id"]));
  }
  const body = JSON.stringify({ status, media_ids });
  const headers = { "content-type": "application/json" };
  return String(
    (await call(url, token, "/api/v1/statuses", { method: "POST", body, headers }))["id"],
  );
}

async function call(url: string, token: string, path: string, init: RequestInit = {}) {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, url), { ...init, headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

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
    if (screens) await mkdir(screens, { recursive: true });
    const proxy = await startProxy(folder, Number(new URL(local).port));
    const { port } = proxy.address() as AddressInfo;
    const { people } = await appWithPeople(local, ["ada", "bob", "cleo"]);
    const [, bob = "", cleo = ""] = people.map((one) => one["access_token"] ?? "");
    const bobs = await call(local, bob, "/api/v1/accounts/verify_credentials");
    for (let at = 1; at <= 45; at += 1)
      await post(local, bob, `Post number ${at} of Bob's`, at % 9 === 0 ? 2 : 0);
    const browser = await chromium.launch({
      executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--ignore-certificate-errors",
        `--host-resolver-rules=MAP *.test:443 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ],
    });
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
        if (screens) await popup.screenshot({ path: join(screens, "consent.png") });
        const closed = popup.waitForEvent("close");
        await popup.getByRole("button", { name: "Connect", exact: true }).click();
        await closed.catch(async (error: unknown) => {
          if (screens) await popup.screenshot({ path: join(screens, "popup.png") });
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
      const until = async (isSo: () => Promise<boolean>) => {
        for (let at = 0; at < 60; at += 1) {
          if (await isSo()) return;
          await page.waitForTimeout(250);
        }
        throw new Error("Postcard did not hear of it.");
      };
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
        const picture = await sharp({
          create: { width: 900, height: 900, channels: 3, background: "teal" },
        })
          .jpeg()
          .toBuffer();
        const file = (name: string) => ({ name, mimeType: "image/jpeg", buffer: picture });
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
      proxy.closeAllConnections();
    }
    return steps.some(({ result }) => result !== "done") ? 1 : 0;
  },
  (port) => ({ PORT: port, PUBLIC_URL: `https://${names.postcard}` }),
);
