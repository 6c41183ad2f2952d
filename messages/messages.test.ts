import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as common from "#messages/common.json";
import { pseudoLanguage, translatedLanguages } from "../scripts/lib/languages.mjs";
import { messageFiles, messagesOf, readMessages, type Message } from "./read.ts";
import { pseudo } from "./pseudo.ts";

const translated = translatedLanguages();
/** Those whose names are the same in every language; the server's sentences are looked at apart. */
const files = messageFiles().filter((name) => name !== "refusals.json");

const sentences = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);
/** The values and marks of a sentence: `{name}`, `<link>`. */
const slots = (sentence: string) => (sentence.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted();

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
    const counted = files.flatMap((file) =>
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

/** Everything that shared/ says: refusals, providers' problems, errors of fields. */
const shared = join(import.meta.dirname, "../shared");
const said = readdirSync(shared)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(shared, name), "utf8"))
  .join("\n");
/** As it is written: with the expression of a number, which stands there by its name. */
const isSaid = (sentence: string) =>
  said.includes(sentence) ||
  sentence.split(/\d+/).every((part) => part !== "" && said.includes(part));

test.each(translated)("every refusal in %s is one that the server still says", (language) => {
  const own = Object.keys(readMessages(language, "refusals.json"));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((sentence) => !isSaid(sentence))).toEqual([]);
});

test("every language has the same refusals, and so many are still said in English", async () => {
  const [first = [], ...others] = translated.map((language) =>
    Object.keys(readMessages(language, "refusals.json")).toSorted(),
  );
  for (const other of others) expect(other).toEqual(first);
  const errors = readFileSync(join(shared, "errors.ts"), "utf8");
  const [, declared = ""] = /const refusals = \{([\s\S]*?)\n\} as const/.exec(errors) ?? [];
  const refusals = [...declared.matchAll(/\d{3},\s*"((?:\\.|[^"])*)"/g)].map(
    ([, text = ""]) => text,
  );
  expect(refusals.length).toBeGreaterThan(100);
  expect(refusals.filter((sentence) => !first.includes(sentence)).length).toBe(99);
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
