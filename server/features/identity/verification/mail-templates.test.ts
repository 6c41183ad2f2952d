import { describe, expect, test } from "vitest";
import { createMailTemplates } from "#server/features/identity/verification/mail-templates.ts";
import type { Addressee } from "#server/features/identity/verification/verification.queries.ts";

const languages = ["en", "de", "fr", "ar"];
const writeTo = createMailTemplates({
  publicUrl: "https://photos.example.org",
  site: async () => ({ name: "Our Town" }),
  languages,
});

const ada: Addressee = {
  id: "",
  username: "ada",
  fullName: "Ada Lovelace",
  email: "ada@example.org",
  verified: true,
  language: null,
  credentialsChangedAt: new Date(0),
};
const until = Date.UTC(2031, 2, 5, 3, 7);

async function everyEmail(language: string) {
  const write = await writeTo({ language });
  const changes = [
    "password-changed",
    "password-replaced",
    "passkey-added",
    "passkey-removed",
    "two-factor-on",
    "two-factor-off",
    "two-factor-codes-renewed",
  ] as const;
  const providers = ["provider-connected", "provider-disconnected"] as const;
  return [
    write.confirmAddress({ ...ada, verified: false }, "token"),
    write.resetPassword(ada, "token", "password"),
    write.resetPassword({ ...ada, verified: false }, "token", "sign-in"),
    write.signIn(ada, "token"),
    write.confirmNewAddress(ada, "new@example.org", "token"),
    write.addressTaken("new@example.org"),
    write.changeAsked(ada, "token"),
    write.emailChanged(ada, "token"),
    write.changeUndone(ada),
    write.suspended(ada, { reason: null, until: null }),
    write.suspended(ada, { reason: "Too\nloud", until }),
    ...changes.map((what) => write.signInMethodsChanged(ada, { what })),
    ...providers.map((what) => write.signInMethodsChanged(ada, { what, label: "GitHub" })),
  ];
}

describe.each(languages)("every email in %s", (language) => {
  test("has all its values, and no sentence of another language", async () => {
    const emails = await everyEmail(language);
    const english = await everyEmail("en");
    for (const [index, { subject, text, html }] of emails.entries()) {
      for (const part of [subject, text, html]) expect(part).not.toMatch(/[{}]|undefined/);
      expect(html).toContain(`<html lang="${language}"`);
      if (language === "en") continue;
      const own = new Set(text.split("\n").filter((line) => /\p{L} /u.test(line)));
      const theirs = (english[index]?.text ?? "").split("\n");
      expect(theirs.filter((line) => own.has(line))).toEqual([]);
    }
  });
});

test.each([
  ["en", "It comes back by itself on 5 March 2031 at 03:07 (UTC)."],
  ["de", "Am 5. März 2031 um 03:07 Uhr (UTC) kommt es von selbst zurück."],
  ["ar", "يعود من تلقاء نفسه في 5 مارس 2031 عند 03:07 (UTC)."],
])("a date in an email is written as in its language: %s", async (language, sentence) => {
  const { text } = (await writeTo({ language })).suspended(ada, { reason: "Too loud", until });
  expect(text).toContain(sentence);
});
