import type { BrowserContextOptions } from "@playwright/test";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import { addMember, enter } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

// One server for all of them: the others' offers English alone.
test.describe.configure({ mode: "default" });

let server: PostcardServer;

test.beforeAll(async () => {
  server = await startPostcard({ LANGUAGES: "en,de,ar,en-XA" });
});
test.afterAll(async () => {
  await server.stop();
});

const at = (options: BrowserContextOptions) => ({ ...options, baseURL: server.url });

for (const viewport of [phone, desktop]) {
  test(`a visitor whose browser speaks German signs in and up in German at ${viewport.width} px`, async ({
    open,
  }) => {
    const page = await open(null, { ...at({ viewport, locale: "de-DE" }), expects: /401|404/ });
    await page.goto("/");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expectNoSidewaysScroll(page);
    await page.locator("main").getByRole("link", { name: "Anmelden", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Anmelden" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await expect(page.getByText("Pflichtfeld*").first()).toBeVisible();
    await page.getByLabel("E-Mail").fill("nobody@example.org");
    await page.getByLabel("Passwort", { exact: true }).fill("nobody knows it");
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await expect(page.getByText("Falsches Passwort oder falsche E-Mail-Adresse")).toBeVisible();
    await expect(page.getByLabel("E-Mail")).toHaveValue("nobody@example.org");
    await page.goto("/signUp");
    await page.getByRole("button", { name: "Registrieren" }).click();
    await expect(page.getByText("Bitte wähl ein Profilbild")).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.goto("/nowhere");
    await expect(page.getByText("Unter dieser Adresse wohnt niemand")).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
}

test("a visitor chooses Arabic without scripts, and pages run from right to left", async ({
  open,
}) => {
  const page = await open(null, {
    ...at({ viewport: phone }),
    javaScriptEnabled: false,
    expects: /404/,
  });
  await page.goto("/signIn");
  await page.getByLabel("Language").selectOption({ label: "العربية (draft)" });
  await page.getByRole("button", { name: "Use this language" }).click();
  await expect(page).toHaveURL(`${server.url}/signIn`);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("heading", { name: "تسجيل الدخول" })).toBeVisible();
  for (const path of ["/", "/signIn", "/signUp", "/signIn/forgot", "/nowhere"]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "ar");
    await expectNoSidewaysScroll(page);
  }
});

test("a member's language goes with them into a browser that asks for another", async ({
  open,
}) => {
  const member = await addMember(server.url, { firstName: "Greta", secondName: "Sprachlos" });
  const home = await open(null, at({ viewport: desktop }));
  await enter(home.context(), server.url, member);
  await home.goto("/settings");
  const choice = home.getByLabel("Language");
  await expect(choice.locator("option:checked")).toHaveText("As your browser asks");
  await choice.selectOption({ label: "Deutsch (draft)" });
  await home.getByRole("button", { name: "Use this language" }).click();
  await expect(home.locator("html")).toHaveAttribute("lang", "de");
  await expect(home).toHaveURL(`${server.url}/settings`);
  await expectNoSidewaysScroll(home);

  const abroad = await open(null, at({ viewport: phone, locale: "ar" }));
  await abroad.goto("/signIn?returnTo=/saved");
  await expect(abroad.locator("html")).toHaveAttribute("lang", "ar");
  await abroad.locator("input[name=email]").fill(member.email);
  await abroad.locator("input[name=password]").fill(member.password);
  await abroad.locator("input[name=password]").press("Enter");
  await expect(abroad.getByRole("dialog")).toBeVisible();
  await abroad.keyboard.press("Escape");
  await expect(abroad).toHaveURL(`${server.url}/saved`);
  await expect(abroad.locator("html")).toHaveAttribute("lang", "de");
  await expect(abroad.locator("html")).not.toHaveAttribute("dir");
});

test("in the pseudo-language everything that visitors read to get in is a message", async ({
  open,
}) => {
  const page = await open(null, { ...at({ viewport: phone, locale: "en-XA" }), expects: /404/ });
  for (const path of ["/", "/signIn", "/signUp", "/signIn/forgot", "/nowhere"]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en-XA");
    await expectNoSidewaysScroll(page);
    // The operator's line about the site, names of languages and our own name are nobody's to translate.
    const bare = await page.locator("body").evaluate((body) => {
      const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? "";
        const inside = node.parentElement?.closest("script, style, noscript, option, [dir=auto]");
        if (!inside && /[a-z]{3}/.test(text) && !/[~\]]/.test(text)) found.push(text);
      }
      return found;
    });
    expect(
      bare.filter((text) => text !== "Postcard"),
      path,
    ).toEqual([]);
  }
});
