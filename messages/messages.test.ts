import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as common from "#messages/common.json";
import { pseudoLanguage, translatedLanguages } from "../scripts/lib/languages.mjs";
import { messageFiles, messagesOf, readMessages, saidFiles, type Message } from "./read.ts";
import { sayingBy } from "#shared/said-sentences.ts";
import { messagesIn } from "./plugin.ts";
import { pseudo } from "./pseudo.ts";

const translated = translatedLanguages();
const root = join(import.meta.dirname, "..");
/** Those whose names are the same in every language; the server's sentences are looked at apart. */
const files = messageFiles().filter((name) => !saidFiles.includes(name));
const saidInEach = translated.flatMap((language) =>
  saidFiles.map((file) => [file, language] as const),
);

const sentences = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);
/** The values and marks of a sentence: `{name}`, `<link>`. */
const slots = (sentence: string) => (sentence.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted();

/** In tables of refusals: `[409, "…"]`; of problems: `"code": "…"`. */
const refusalText = /\d{3},\s*"((?:\\.|[^"])*)"/g;
const problemText = /"?[\w-]+"?:\s*"((?:\\.|[^"])*)"/g;

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));

test("French punctuation stays with its word", () => {
  const loose = [...messageFiles()].flatMap((file) =>
    Object.entries(readMessages("fr", file)).filter(([, message]) =>
      sentences(message).some((sentence) => / [:;?!»]|« /.test(sentence)),
    ),
  );
  expect(loose).toEqual([]);
});

test("no line ends in the middle of E-Mail", () => {
  const { load } = messagesIn("de") as { load: { handler: (id: string) => string } };
  const shown = load.handler("/messages/en/account.json");
  expect(shown).toContain("Deine E-\u2060Mail-Adresse");
  expect(shown).not.toMatch(/e-mail/i);
});

describe.each(translated)("the messages in %s", (language) => {
  test.each(files)("are those of English in %s: what is missing is shown in English", (file) => {
    const english = readMessages("en", file);
    const own = readMessages(language, file);
    expect(Object.keys(own).filter((name) => !(name in english))).toEqual([]);
    expect(Object.keys(english).filter((name) => !(name in own))).toEqual([]);
  });

  test.each(files)("have the values and marks of English in %s", (file) => {
    const english = readMessages("en", file);
    for (const [name, message] of Object.entries(readMessages(language, file))) {
      const [expected = ""] = sentences(english[name] ?? "").slice(-1);
      // A form for one number may say it in a word.
      const forms = typeof message === "string" ? [message] : [message["other"] ?? ""];
      for (const sentence of forms) expect(slots(sentence), name).toEqual(slots(expected));
    }
  });

  test("have a sentence for each plural form of the language", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = messageFiles().flatMap((file) =>
      Object.entries(readMessages(language, file)).filter(
        ([, message]) => typeof message !== "string",
      ),
    );
    expect(counted.length).toBeGreaterThan(0);
    for (const [name, message] of counted) {
      expect(Object.keys(message).toSorted(), name).toEqual(forms.toSorted());
    }
  });
});

/** What the server says by its English text, in values as well; and what is read on a device as the server reads it. */
const source = ["shared", "server", "app/features/archive/device"]
  .flatMap((folder) => filesBelow(join(root, folder)))
  .map((file) => readFileSync(file, "utf8"))
  // A long sentence stands in two lines.
  .map((text) => text.replaceAll('\\"', '"').replaceAll(/["`] \+\s+["`]/g, ""))
  .join("\n");
/** As it is written: a value stands there by its name. */
const isSaid = (sentence: string) =>
  sentence
    .split(/\{\w+\}/)
    .map((part) => part.trim())
    .every((part) => !/\p{L}/u.test(part) || source.includes(part));

/** The sentences of a table of refusals or problems, by its declaration. */
function declaredIn(file: string, table: RegExp, sentence: RegExp): string[] {
  const [, declared = ""] = table.exec(readFileSync(join(root, "shared", file), "utf8")) ?? [];
  return [...declared.matchAll(sentence)].map(([, text = ""]) => text);
}

const declared = [
  ...declaredIn("errors.ts", /const refusals = \{([\s\S]*?)\n\} as const/, refusalText),
  ...declaredIn("early-refusals.ts", /earlyRefusals = \{([\s\S]*?)\n\} as const/, refusalText),
  ...declaredIn("providers.ts", /signInProblems = \{([\s\S]*?)\n\} as const/, problemText),
];

test.each(translated)("the refusals in %s are all that are declared", (language) => {
  const own = readMessages(language, "refusals.json");
  expect(declared.length).toBeGreaterThan(140);
  expect(declared.filter((sentence) => !(sentence in own))).toEqual([]);
});

describe.each(saidInEach)("the sentences of %s in %s", (file, language) => {
  const own = readMessages(language, file);

  test("are those that the server says", () => {
    expect(Object.keys(own).filter((sentence) => !isSaid(sentence))).toEqual([]);
  });

  test("have the values of English", () => {
    for (const [sentence, message] of Object.entries(own)) {
      const form = typeof message === "string" ? message : (message["other"] ?? "");
      expect(slots(form), sentence).toEqual(slots(sentence));
    }
  });
});

/** One of each value, as the server may put it in. */
const samples: Record<string, string> = { count: "12", more: "3", number: "7", username: "@ada" };
const withSamples = (sentence: string) =>
  sentence
    .replaceAll("{day}", "March 12, 2025")
    .replace(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? "x.jpg");

test.each(saidInEach)("each of %s in %s is found with its values in it", (file, language) => {
  const own = readMessages(language, file);
  const say = sayingBy(own, {
    formOf: ({ other = "" }) => other,
    count: String,
    day: () => "March 12, 2025",
  });
  for (const [sentence, message] of Object.entries(own)) {
    const form = typeof message === "string" ? message : (message["other"] ?? "");
    expect(say(withSamples(sentence)), sentence).toBe(withSamples(form));
  }
});

test.each(saidFiles)("every language has the same sentences in %s", (file) => {
  const [first = [], ...others] = translated.map((language) =>
    Object.keys(readMessages(language, file)).toSorted(),
  );
  for (const other of others) expect(other).toEqual(first);
});

test("a message may be named by a reserved word", () => {
  expect(common.delete).toBe("Delete");
});

test("the pseudo-language is longer by a third, in brackets, and keeps values and marks", () => {
  const shown = pseudo("By signing up you agree to the <rules>house rules</rules> of {site}.");
  expect(shown).toMatch(/^\[Ɓý .*<rules>ĥöûšé ŕûļéš<\/rules> öƒ \{site\}\.~+\]$/);
  expect(pseudo("Sign In").length).toBeGreaterThanOrEqual("Sign In".length * 1.35);
  const own = messagesOf(pseudoLanguage, "identity.json");
  expect(Object.keys(own)).toEqual(Object.keys(readMessages("en", "identity.json")));
});
