import type { BrowserContextOptions } from "@playwright/test";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import { readMessages } from "../messages/read.ts";
import { outboxOf } from "../server/test/mailbox.ts";
import { comment, say } from "./support/acts.ts";
import { befriend } from "./support/chats.ts";
import { query } from "./support/installation.ts";
import { addMember, enter, post } from "./support/members.ts";
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
    await page.getByLabel("E-\u2060Mail").fill("nobody@example.org");
    await page.getByLabel("Passwort", { exact: true }).fill("nobody knows it");
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await expect(
      page.getByText("Falsches Passwort oder falsche E-\u2060Mail-Adresse"),
    ).toBeVisible();
    await expect(page.getByLabel("E-\u2060Mail")).toHaveValue("nobody@example.org");
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
  await expect(choice.locator("option:checked")).toHaveText("Same as your browser");
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

test("a member who reads Arabic, one who reads German and one who reads English share a feed, chats and letters", async ({
  open,
}) => {
  const { url } = server;
  const [eve, gerd, amal] = [
    await addMember(url, { firstName: "Eve", secondName: "Early" }),
    await addMember(url, { firstName: "Gerd", secondName: "Gezeiten" }),
    await addMember(url, { firstName: "Amal", secondName: "Alqamar" }),
  ];
  const readers = [
    { who: eve, language: "en", direction: "ltr" },
    { who: gerd, language: "de", direction: "ltr" },
    { who: amal, language: "ar", direction: "rtl" },
  ];
  for (const { who, language } of readers) {
    await query(url, "update accounts set language = $2 where id = $1", [who.id, language]);
  }
  for (const [one, other] of [
    [eve, gerd],
    [gerd, amal],
    [amal, eve],
  ] as const) {
    await befriend(url, one, other);
  }
  const written = [
    [eve, "The tide is out."],
    [gerd, "Heute ist Ebbe."],
    [amal, "البحر هادئ اليوم."],
  ] as const;
  const paths: string[] = [];
  for (const [who, caption] of written) paths.push(await post(url, who, { caption }));
  for (const { who } of readers) await comment(url, who, paths[1] ?? "", `From ${who.name}`);
  for (const { who } of readers) {
    for (const other of readers) if (other.who !== who) await say(url, who, other.who, "🌊");
  }

  for (const { who, language, direction } of readers) {
    const read = (file: string) => readMessages(language, `${file}.json`);
    const page = await open(who, at({ viewport: phone, locale: "fr" }));
    await page.goto("/");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe(direction);
    // Each says what it is in: hyphens, fonts and voices are those of its author.
    for (const [author, caption] of written) {
      // One's own posts are in one's profile.
      if (author === who) continue;
      const { language: own } = readers.find((one) => one.who === author) ?? { language: "" };
      const shown = page.locator("main [lang]").filter({ hasText: caption }).first();
      await expect(shown).toHaveAttribute("lang", own);
    }
    await expect(page.locator("main time").first()).toContainText(String(read("text")["today"]));
    await page.goto("/chat");
    await expect(page.locator("main h1")).toHaveText(String(read("chat")["chats"]));
    await expect(page.locator("main").getByText("🌊").first()).toBeVisible();
    await page.goto("/notifications");
    await expect(page.locator("main h2").first()).toHaveText(
      String(read("notifications")["today"]),
    );
    await expectNoSidewaysScroll(page);

    await page.context().clearCookies();
    await page.goto("/signIn/forgot");
    await page.locator("input[name=email]").fill(who.email);
    await page.locator("main form button[type=submit]").first().click();
    const subject = async () =>
      (await outboxOf(server.dataDir).catch(() => [])).findLast(
        ({ to }) => to?.[0]?.address === who.email,
      )?.subject;
    await expect.poll(subject, { timeout: 60_000 }).toBe(read("letters")["choosePassword"]);
  }
});
