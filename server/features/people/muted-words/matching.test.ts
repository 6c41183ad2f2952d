import { describe, expect, test } from "vitest";
import { matchingOf, mutedWordsOf } from "#server/features/people/muted-words/matching.ts";

const found = (word: string, text: string) => matchingOf([word])(text) !== null;

describe("a muted word is found", () => {
  test.each([
    ["spoiler", "Spoiler!"],
    ["spoiler", "no SPOILERS, one spoiler"],
    ["spoiler", "#spoiler"],
    ["spoiler", "＃ｓｐｏｉｌｅｒ"],
    ["#spoiler", "see #Spoiler."],
    ["season finale", "the Season\n  Finale"],
    ["josé", "JOSE\u0301 was here"],
    ["jose", "José"],
    ["straße", "In der STRASSE"],
    ["STRASSE", "die Straße"],
    ["ΟΔΟΣ", "η οδός."],
    ["istanbul", "İstanbul"],
    ["spoiler", "sp\u200boi\u00adler"],
    ["ёлка", "Елка"],
    // no spaces between words
    ["剧透", "这是剧透吗"],
    ["ネタバレ", "最終回のネタバレです"],
    ["스포일러", "스포일러를 조심"],
    ["สปอย", "ห้ามสปอยล์"],
    ["iphone", "新しいiPhoneが"],
    // right to left, with vowel points and without
    ["ספוילר", "זה סְפּוֹיְלֶר!"],
    ["حرق", "‏هذا حَرْق!"],
    // no letters at all
    ["🍕", "pizza🍕time"],
    ["❤", "I ❤️ it"],
    ["👍", "👍🏽"],
    ["50%", "now 50% off"],
    ["c++", "I write C++ all day"],
    ["^.*(a+)+$", "what is ^.*(A+)+$ for?"],
  ])("%s in %j", (word, text) => {
    expect(found(word, text)).toBe(true);
  });

  test.each([
    ["art", "party"],
    ["art", "the arts"],
    ["art", "art_house"],
    ["art", "art2"],
    ["art", "modernart"],
    ["#spoiler", "spoiler"],
    ["season finale", "the season's finale"],
    ["ガス", "カス"],
    ["कि", "की"],
    ["क", "कि"],
    ["𐌰", "𐌰𐌱"],
    [".*", "anything"],
    ["a|b", "b"],
    ["ספר", "ספרים"],
  ])("%s not in %j", (word, text) => {
    expect(found(word, text)).toBe(false);
  });
});

test("of several words the one found is given as it was typed", () => {
  const matching = matchingOf(["Café", "he", "she", "hers", "his"]);
  expect(matching("ushers")).toBeNull();
  expect(matching("it is hers")).toBe("hers");
  expect(matching("at the CAFE")).toBe("Café");
  expect(matching("x".repeat(10) + " she")).toBe("she");
});

test("words that end in one another are all searched for, whatever is around the longer", () => {
  expect(matchingOf(["new york", "york"])("in renew york")).toBe("york");
  expect(matchingOf(["a b c", "b"])("a b d")).toBe("b");
});

test("the longest text and the worst words are one walk", () => {
  const words = Array.from({ length: 100 }, (_, at) => `${"a".repeat(at + 1)}b`);
  const text = "a".repeat(65_536);
  expect(matchingOf(words)(text)).toBeNull();
  expect(matchingOf(words)(`${text} aaab`)).toBe("aaab");
});

test("without muted words nothing is searched for", () => {
  expect(mutedWordsOf(null)).toBeNull();
  expect(mutedWordsOf({})).toBeNull();
  expect(mutedWordsOf({ mutedWords: [] })).toBeNull();
});
