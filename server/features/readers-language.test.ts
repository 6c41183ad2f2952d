import { beforeAll, describe, expect, test } from "vitest";
import { currentClient } from "#server/features/identity/index.ts";
import { idAt } from "#server/platform/db/ids.ts";
import type { Database } from "#server/platform/db/database.ts";
import { messagesIn, readersLanguage } from "#server/platform/messages.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client } from "#server/test/identity.ts";
import { openMailbox, type Received } from "#server/test/mailbox.ts";
import { openPushService } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let received: Received[];
let service: Awaited<ReturnType<typeof openPushService>>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  ({ received } = mailbox);
  service = await openPushService();
  on = testFeatures(db, { smtpUrl: mailbox.url, languages: ["en", "de", "ar"] });
});

async function work(): Promise<void> {
  expect((await on.jobs.runDue()).failed).toEqual([]);
}

/** A member with a verified address whose account has this language. */
async function reader(name: string, language: string | null): Promise<Viewer> {
  const viewer = await on.member(name);
  await work();
  await query(db, "update accounts set email_verified = true, language = $2 where id = $1", [
    viewer.id,
    language,
  ]);
  return viewer;
}

/** The last email that somebody got. */
const lastTo = ({ email }: Viewer) =>
  received.findLast(({ envelope }) => envelope.to.includes(email));

async function subscribed(member: Viewer) {
  const browser = service.browser();
  const { cookies } = await on.identity.signIn.complete(member.id, client(), "link");
  const viewer = await on.identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) });
  if (!viewer) throw new Error("no session");
  await on.push.subscribe(viewer, browser.address);
  return browser;
}

const sentences = {
  en: {
    push: "Bob Writer liked your post",
    digest: "Bob Writer liked your post: “A few words”",
    reset: "Choose a new password",
    life: "The link works once, within 30 minutes.",
    html: '<html lang="en">',
  },
  de: {
    push: "Bob Writer hat deinen Beitrag mit „Gefällt mir“ markiert",
    digest: "Bob Writer hat deinen Beitrag mit „Gefällt mir“ markiert: „A few words“",
    reset: "Wähl ein neues Passwort",
    life: "Der Link funktioniert einmal, innerhalb von 30 Minuten.",
    html: '<html lang="de">',
  },
  ar: {
    push: "أُعجب Bob Writer بمنشورك",
    digest: "أُعجب Bob Writer بمنشورك: «\u2068A few words\u2069»",
    reset: "اختيار كلمة مرور جديدة",
    life: "يعمل الرابط مرة واحدة خلال 30 دقيقة.",
    html: '<html lang="ar" dir="rtl">',
  },
};

describe("what is sent to a member is in their language", () => {
  test.each([
    ["English", "en", "en"],
    ["German", "de", "de"],
    ["Arabic", "ar", "ar"],
    ["the first that is offered, where they chose none", null, "en"],
    ["the first that is offered, where theirs is no longer offered", "fr", "en"],
    ["the first that is offered, where theirs is unknown", "xx-unknown", "en"],
  ] as const)("%s", async (_name, language, expected) => {
    const said = sentences[expected];
    const ada = await reader("Ada Reader", language);
    const bob = await on.member("Bob Writer");
    const browser = await subscribed(ada);
    await on.likes.like(bob, await on.textPost(ada, "A few words"));
    await work();
    expect(browser.read()).toMatchObject([{ title: said.push, body: "A few words" }]);

    await query(db, "update notifications set latest_id = $2 where account_id = $1", [
      ada.id,
      idAt(Date.now() - 2 * 60 * 60 * 1000),
    ]);
    await on.digest.sweep();
    await work();
    const digest = lastTo(ada);
    expect(digest?.text).toContain(said.digest);
    expect(digest?.html).toContain(said.html);

    await on.verification.requestReset({ email: ada.email, client: client() });
    await work();
    const reset = lastTo(ada);
    expect(reset?.subject).toBe(said.reset);
    expect(reset?.text).toContain(said.life);
    expect(reset?.html).toContain(said.html);
  });

  test("with the verb for several people", async () => {
    const ada = await reader("Ada Loved", "de");
    const browser = await subscribed(ada);
    const post = await on.textPost(ada);
    for (const name of ["Bob Writer", "Cy Writer"]) {
      await on.comments.add(await on.member(name), post, "Nice", null);
      await work();
    }
    expect(browser.read()).toMatchObject([
      { title: "Bob Writer hat deinen Beitrag kommentiert" },
      { title: "Cy Writer und Bob Writer haben deinen Beitrag kommentiert" },
    ]);
  });
});

describe("what is mailed to somebody who chose no language", () => {
  test("is in that of the page on which they asked for it, if it is offered", async () => {
    const ada = await reader("Ada Asking", null);
    const ask = async (language: string) => {
      const asking = { ...client(), language };
      await currentClient.run(asking, () =>
        on.verification.requestReset({ email: ada.email, client: asking }),
      );
      await work();
      return lastTo(ada)?.subject;
    };
    expect(await ask("de")).toBe(sentences.de.reset);
    expect(await ask("ar")).toBe(sentences.ar.reset);
    expect(await ask("fr")).toBe(sentences.en.reset);
    await query(db, "update accounts set language = 'de' where id = $1", [ada.id]);
    expect(await ask("ar"), "the account's goes first").toBe(sentences.de.reset);
  });
});

test("a message that a language does not have is English", () => {
  expect(messagesIn("xx", "letters.json")).toEqual(messagesIn("en", "letters.json"));
  expect(messagesIn("de", "letters.json").hello).toBe("Hallo {name},");
});

test("a reader's language is theirs, else the first that is offered, else English", () => {
  expect(readersLanguage("ar", ["en", "ar"])).toBe("ar");
  expect(readersLanguage("fr", ["de", "ar"])).toBe("de");
  expect(readersLanguage(null, ["ar", "en"])).toBe("ar");
  expect(readersLanguage("de", [])).toBe("en");
});
