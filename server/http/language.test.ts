import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { messageFiles, readMessages, type Message } from "../../messages/read.ts";
import { languageOf } from "#server/http/language.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { freshDatabase } from "#server/test/database.ts";

const root = join(import.meta.dirname, "../..");
const offered = (...tags: string[]) => tags.map((tag) => ({ tag, name: tag, draft: false }));

async function begin(languages: string[]) {
  const { db } = await freshDatabase();
  const screens = await builtScreens(languages);
  return testApp(db, { languages }, { screens });
}

type Server = Awaited<ReturnType<typeof begin>>;
let app: Server["app"];
let on: Server["features"];
let cookieOf: Server["cookieOf"];
let alone: Server["app"];
beforeAll(async () => {
  ({ app, features: on, cookieOf } = await begin(["en", "de", "ar"]));
  ({ app: alone } = await begin(["en"]));
});

const inGerman = { "accept-language": "de-AT,de;q=0.9,en;q=0.8" };
const sendForm = (url: string, fields: Record<string, string>, headers = {}) =>
  app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

describe("the language of a page", () => {
  test.each([
    ["de", "de"],
    ["de-AT", "de"],
    ["fr-CA, de;q=0.5", "de"],
    ["ar;q=0.4, de;q=0.5", "de"],
    ["de;q=0, ar", "ar"],
    ["zh-Hant-TW", "en"],
    ["", "en"],
    ["*", "en"],
    ["de;q=nothing, ar", "ar"],
  ])("is one that is offered, for a browser that asks for %s", (accepted, language) => {
    const headers = { "accept-language": accepted };
    expect(languageOf(headers, offered("en", "de", "ar"), null)).toBe(language);
  });

  test("is read from the beginning of a long header", () => {
    const headers = { "accept-language": `${"x,".repeat(5000)}de` };
    expect(languageOf(headers, offered("en", "de"), null)).toBe("en");
  });

  test("is the one that was chosen, if it is still offered", () => {
    const headers = { cookie: "language=ar", "accept-language": "de" };
    expect(languageOf(headers, offered("en", "de", "ar"), null)).toBe("ar");
    expect(languageOf(headers, offered("en", "de"), null)).toBe("de");
  });

  test("is the member's before that of their browser, if it is still offered", () => {
    const headers = { cookie: "language=ar", "accept-language": "en" };
    expect(languageOf(headers, offered("en", "de", "ar"), { language: "de" })).toBe("de");
    expect(languageOf(headers, offered("en", "ar"), { language: "de" })).toBe("ar");
    expect(languageOf(headers, offered("en", "de", "ar"), {})).toBe("ar");
  });

  test("is the first one for everybody else", () => {
    expect(languageOf({}, offered("de", "en"), null)).toBe("de");
  });
});

test("a page says its language and direction, and its files have addresses of their own", async () => {
  const german = await app.inject({ url: "/signIn", headers: inGerman });
  expect(german.body).toContain('<html lang="de" data-theme');
  expect(german.body).toContain("Passwort vergessen?");
  const [file = ""] = /\/assets\/de\/[^"]+\.js/.exec(german.body) ?? [];
  const answer = await app.inject({ url: file });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const arabic = await app.inject({ url: "/signIn", headers: { cookie: "language=ar" } });
  expect(arabic.body).toContain('<html lang="ar" dir="rtl"');
});

test("a shared cache keeps a visitor's page by language", async () => {
  const { headers } = await app.inject({ url: "/", headers: inGerman });
  expect(headers["cache-control"]).toContain("s-maxage");
  expect(String(headers["vary"])).toContain("Accept-Language");
});

test("English alone is as ever: no choice, and one page for every browser", async () => {
  const answer = await alone.inject({ url: "/", headers: inGerman });
  expect(answer.body).toContain('<html lang="en" data-theme');
  expect(answer.body).not.toContain('name="language"');
  expect(String(answer.headers["vary"])).not.toContain("Accept-Language");
  expect(answer.body).not.toContain("languages");
});

describe("choosing a language", () => {
  test("is a form that needs no scripts, and leads back to its page", async () => {
    const { body } = await app.inject({ url: "/signIn" });
    expect(body).toContain('name="language"');
    expect(body).toContain("Deutsch (draft)");
    const fields = { change: "language", language: "de", returnTo: "/signIn?returnTo=%2Fsaved" };
    const chosen = await sendForm("/settings", fields);
    expect(chosen.statusCode).toBe(302);
    expect(chosen.headers["location"]).toBe("/signIn?returnTo=%2Fsaved");
    expect(String(chosen.headers["set-cookie"])).toMatch(/^language=de; Path=\/; .*HttpOnly/);
  });

  test.each(["fr", "xx", "de; Domain=example.org", ""])(
    "refuses one that is not offered: %s",
    async (language) => {
      const answer = await sendForm("/settings", { change: "language", language });
      expect(answer.statusCode).toBe(400);
      expect(String(answer.headers["set-cookie"] ?? "")).not.toContain("language=");
    },
  );
});

const chosenBy = (cookie: string, language: string) =>
  sendForm("/settings", { change: "language", language, returnTo: "/settings" }, { cookie });
const htmlOf = async (cookie: string) =>
  /<html lang="[^"]+"/.exec(
    (await app.inject({ url: "/settings", headers: { cookie } })).body,
  )?.[0];

describe("a member's language", () => {
  test("goes with the account before that of a browser, until it is none again", async () => {
    const ada = await on.member("Ada Speaks");
    const cookie = `${await cookieOf(ada)}; language=ar`;
    const before = await app.inject({ url: "/settings", headers: { cookie } });
    expect(before.body).toContain('<html lang="ar"');
    const chosen = await chosenBy(cookie, "de");
    expect(chosen.statusCode).toBe(302);
    expect(chosen.headers["location"]).toBe("/settings");
    expect(String(chosen.headers["set-cookie"] ?? "")).not.toContain("language=");
    expect(await htmlOf(cookie)).toBe('<html lang="de"');
    const after = await app.inject({ url: "/settings", headers: { cookie } });
    expect(after.body).toContain('<option value="de" selected="">');
    expect((await chosenBy(cookie, "")).statusCode).toBe(302);
    expect(await htmlOf(cookie)).toBe('<html lang="ar"');
  });

  test("is one that is offered", async () => {
    const cookie = await cookieOf(await on.member("Ada Foreign"));
    for (const language of ["fr", "xx", "x".repeat(5000)]) {
      expect((await chosenBy(cookie, language)).statusCode).toBe(400);
    }
    expect(await htmlOf(cookie)).toBe('<html lang="en"');
  });

  test("is no one else's", async () => {
    const [ada, bob] = [await on.member("Ada Own"), await on.member("Bob Own")];
    await on.settings.changeLanguages(ada, { language: "de" });
    expect(await on.settings.get(ada)).toMatchObject({ language: "de" });
    expect(await on.settings.get(bob)).toMatchObject({ language: null });
  });
});

test("refusals are said in the language of the page, and calls in English", async () => {
  const wrong = { email: "nobody@example.org", password: "wrong password" };
  const page = await sendForm("/signIn", wrong, inGerman);
  expect(page.statusCode).toBe(401);
  expect(page.body).toContain("Falsches Passwort oder falsche E-\u2060Mail-Adresse");
  expect(page.body).not.toContain("Wrong password or email");
  const missing = await app.inject({ url: "/nowhere", headers: { cookie: "language=ar" } });
  expect(missing.statusCode).toBe(404);
  expect(missing.body).toContain("لا أحد يسكن في هذا العنوان");
  const call = await app.inject({ url: "/api/session/nothing", headers: inGerman });
  expect(call.body).not.toMatch(/[äöüß]/);
});

test("refusals with numbers in them are said in the plural of the language", async () => {
  const short = { firstName: "Ada", secondName: "L", email: "ada@short.example", username: "ab" };
  const say = async (headers: Record<string, string>) =>
    (await sendForm("/signUp", { ...short, password: "long enough to be one" }, headers)).body;
  expect(await say(inGerman)).toContain("Nimm mindestens 3 Zeichen.");
  expect(await say({ cookie: "language=ar" })).toContain("الحد الأدنى: 3 أحرف.");
  expect(await say({})).toContain("Use at least 3 characters.");
});

const tooFar = (server: Server["app"], headers: Record<string, string>) =>
  server.inject({ url: "/a".repeat(7000), headers: { accept: "text/html", ...headers } });

test("what is refused before a screen is reached is said in the language of the browser", async () => {
  const german = await tooFar(app, inGerman);
  expect(german.statusCode).toBe(414);
  expect(german.body).toContain('<html lang="de" dir="ltr">');
  expect(german.body).toContain("Diese Adresse ist zu lang");
  expect((await tooFar(app, { cookie: "language=ar" })).body).toContain('lang="ar" dir="rtl"');
  expect((await tooFar(alone, inGerman)).body).toContain("This address is too long");
});

const wordsOf = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");

/** As they stand in a file: whole, and long enough to be nobody else's. */
const messagesIn = (language: string) =>
  messageFiles()
    .flatMap((file) => Object.values(readMessages(language, file)).flatMap(wordsOf))
    .filter((text) => text.length > 12 && !/["'`{]/.test(text));

describe("what is sent in one language has no words of another", () => {
  const folders = {
    en: join(root, "build/client/assets"),
    de: join(root, "build/languages/de/client/assets/de"),
    ar: join(root, "build/languages/ar/client/assets/ar"),
  };
  const sent = Object.entries(folders).map(([language, folder]) => ({
    language,
    text: filesIn(folder),
  }));
  test.each(["de", "fr", "ar"])("%s", (language) => {
    const english = messagesIn("en");
    const own = messagesIn(language).filter((words) => !english.includes(words));
    expect(own.length).toBeGreaterThan(20);
    for (const { language: other, text } of sent) {
      const found = own.filter((words) => text.includes(words));
      if (other === language) expect(found.length).toBeGreaterThan(20);
      else expect(found, `in files of ${other}`).toEqual([]);
    }
  });
});

test("what is mailed for somebody who chose no language is in that of the page that asked", async () => {
  const ada = await on.member("Ada Forgets");
  for (const [headers, subject] of [
    [inGerman, "Wähl ein neues Passwort"],
    [{ cookie: "language=ar" }, "اختيار كلمة مرور جديدة"],
    [{}, "Choose a new password"],
  ] as const) {
    const answer = await sendForm("/signIn/forgot", { email: ada.email }, headers);
    expect(answer.statusCode).toBe(200);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const mails = await emailsIn(on.files);
    expect(mails.findLast(({ to }) => to?.[0]?.address === ada.email)?.subject).toBe(subject);
  }
});
