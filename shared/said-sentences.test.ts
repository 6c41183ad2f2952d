import { describe, expect, test } from "vitest";
import { sayingBy, sentenceBySentence } from "#shared/said-sentences.ts";

const rules = new Intl.PluralRules("ar");
const say = sayingBy(
  {
    "Wrong.": "Falsch.",
    "A title": "Ein Titel",
    "{what} can have {count} letters; this is {more} too many.":
      "{more} zu viel: {what} kann {count} Buchstaben haben.",
    "in {count} days": {
      two: "in zwei Tagen",
      few: "in ein paar Tagen",
      other: "in {count} Tagen",
    },
    "Wait {when}.": "Warte {when}.",
    "The post of {day}": "Der Beitrag vom {day}",
    "{what} was left out: {why}": "{what} fehlt: {why}",
    "{file}: {why}": "{file} – {why}",
    "Type {username} to confirm.": "Gib {username} ein.",
    "Open {name} here.": "Öffne hier {name}.",
  },
  {
    formOf: (forms, count) => forms[rules.select(count)] ?? "",
    count: (count) => count.toLocaleString("de"),
    day: (at) => new Date(at).toISOString().slice(0, 10),
  },
);

test("a value that is not ours is shown as the language shows one", () => {
  const spoken = { formOf: () => "", count: String, day: String };
  const table = { "The disk of {path} is full.": "قرص {path} ممتلئ." };
  const isolated = sayingBy(table, { ...spoken, value: (value) => `\u2068${value}\u2069` });
  expect(isolated("The disk of /mnt/1 is full.")).toBe("قرص \u2068/mnt/1\u2069 ممتلئ.");
  expect(sayingBy(table, spoken)("The disk of /mnt/1 is full.")).toBe("قرص /mnt/1 ممتلئ.");
});

describe("a sentence is said", () => {
  test.each([
    ["as it is", "Wrong.", "Falsch."],
    ["not at all where it is none of ours", "Nobody said this.", "Nobody said this."],
    ["not at all by a part of it", "Wrong. And more.", "Wrong. And more."],
    [
      "with its values in another order, and its numbers in the language",
      "A title can have 1,000 letters; this is 12 too many.",
      "12 zu viel: Ein Titel kann 1.000 Buchstaben haben.",
    ],
    ["by the plural form of its number", "Wait in 2 days.", "Warte in zwei Tagen."],
    ["by another form of it", "Wait in 100 days.", "Warte in 100 Tagen."],
    [
      "with sentences in it, and days",
      "The post of March 12, 2025 was left out: a.jpg: Wrong.",
      "Der Beitrag vom 2025-03-12 fehlt: a.jpg – Falsch.",
    ],
    [
      "with a sentence that has values behind a name",
      "a.jpg was left out: b.jpg: A title can have 10 letters; this is 1 too many.",
      "a.jpg fehlt: b.jpg – 1 zu viel: Ein Titel kann 10 Buchstaben haben.",
    ],
    ["with digits that are no number", "Type 12345 to confirm.", "Gib 12345 ein."],
    ["with words of somebody that are ours, too", "Open A title here.", "Öffne hier A title."],
    ["with what somebody wrote, whatever it is", "Open {file} here.", "Öffne hier {file}."],
  ])("%s", (_how, english, german) => {
    expect(say(english)).toBe(german);
  });

  test.each(["in some days", "in 1e3 days", "The post of yesterday", ": Wrong.", "constructor"])(
    "in English where a value is not what it must be: %s",
    (sentence) => expect(say(sentence)).toBe(sentence),
  );

  test("within bounds, whatever stands in it", () => {
    const long = `${"a: ".repeat(10_000)}Wrong.`;
    expect(say(long)).toBe(long);
    expect(say("a: b: c: d: e: Wrong.")).toContain("a – b – c – d – ");
  });
});

describe("a text of several sentences", () => {
  const each = sentenceBySentence(say);

  test.each([
    ["is said one by one", "Wrong. Open the door here.", "Falsch. Öffne hier the door."],
    ["is cut at the ends of ours alone", "Open a. B here. Wrong.", "Öffne hier a. B. Falsch."],
    ["is left where it is none of ours", "Nobody said this. Wrong.", "Nobody said this. Falsch."],
    ["may be empty", "", ""],
  ])("%s", (_, english, own) => {
    expect(each(english)).toBe(own);
  });
});
