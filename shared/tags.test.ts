import { describe, expect, test } from "vitest";
import { findTags, fold, tagAsked, tagPath, tagsOf } from "#shared/tags.ts";

describe("tags in a text, folded", () => {
  test.each([
    ["#harbour", ["harbour"]],
    ["At the #Harbour, in (#FOG)!", ["harbour", "fog"]],
    ["#one #ONE #One", ["one"]],
    ["#ｈａｒｂｏｕｒ and ＃harbour", ["harbour"]],
    ["#straße #STRASSE", ["strasse"]],
    ["#ΟΔΟΣ #οδος", ["οδοσ"]],
    ["#Istanbul #ISTANBUL", ["istanbul"]],
    ["#東京タワー #ﾄｳｷｮｳ", ["東京タワー", "トウキョウ"]],
    ["#हिन्दी", ["हिन्दी"]],
    ["#عكا‌ #کتاب‌خانه", ["عكا", "کتابخانه"]],
    ["שלום #נמל שלום", ["נמל"]],
    ["#한국어", ["한국어"]],
    ["#a_b #_a #1st #2026summer", ["a_b", "_a", "1st", "2026summer"]],
    ["#café #cafe\u0301", ["café"]],
    ["#one#two", ["one"]],
    ["@ana #harbour@ana", ["harbour"]],
    ["https://example.org/x #sea", ["sea"]],
    ["#sea\n#sky", ["sea", "sky"]],
    ["«#sea»—#sky…", ["sea", "sky"]],
    ["🌊#wave", ["wave"]],
  ])("%s", (text, tags) => {
    expect(tagsOf(text.normalize("NFC"))).toEqual(tags);
  });

  test.each([
    "#",
    "##",
    "# harbour",
    "##harbour",
    "#123",
    "#1_000",
    "#___",
    "#️⃣",
    "#️⃣ harbour",
    "#\u20e3",
    "C#",
    "C#sharp",
    "é#sea",
    "𝒳#sea",
    "&#39;",
    "https://example.org/#about",
    "https://example.org/page#about",
    "example.org/#about",
    "example.org#about",
    "www.example.org/a#b",
    "@ana#sea",
    "#-sea",
    "#🌊",
    `#${"a".repeat(101)}`,
    `#a${"\u0301".repeat(500)}`,
    "",
  ])("%s has none", (text) => {
    expect(tagsOf(text)).toEqual([]);
  });

  test("at most a hundred characters, whatever each consists of", () => {
    expect(tagsOf(`#${"a".repeat(100)}`)).toHaveLength(1);
    expect(tagsOf(`#${"\u{20000}".repeat(100)}`)).toHaveLength(1);
    expect(tagsOf(`#${"e\u0323\u0302".repeat(100)}`)).toHaveLength(1);
    expect(tagsOf(`#${"\u{20000}".repeat(101)}`)).toEqual([]);
  });

  test("thirty of a post, the first", () => {
    const text = Array.from({ length: 50 }, (_, index) => `#t${index}`).join(" ");
    expect(tagsOf(text)).toEqual(Array.from({ length: 30 }, (_, index) => `t${index}`));
  });

  test("ends in time linear in its length", () => {
    for (const text of [
      "#".repeat(100_000),
      "# ".repeat(100_000),
      "#a".repeat(100_000),
      "#a ".repeat(50_000),
      `#${"a".repeat(200_000)}`,
      `#a${"\u200d".repeat(200_000)}`,
      "https://a.example/#".repeat(20_000),
    ]) {
      expect(tagsOf(text).length).toBeLessThanOrEqual(30);
    }
  });
});

test("has the position and spelling of the text", () => {
  const text = "In the #Harbour’s fog";
  expect(findTags(text)).toEqual([{ index: 7, end: 15, tag: "Harbour" }]);
  expect(tagPath("Harbour")).toBe("/search?q=%23Harbour");
  expect(tagPath("נמל")).toBe("/search?q=%23%D7%A0%D7%9E%D7%9C");
});

test.each(["Harbour", "ﬁsh", "ﷺ", "İstanbul", "ß", "ŉ", "ΐ", "ǅ", "한국어", "가", "𝓗arbour"])(
  "folded once, %s stays as it is, and is still a tag",
  (tag) => {
    const folded = fold(tag);
    expect(fold(folded)).toBe(folded);
    expect(tagsOf(`#${folded}`)).toEqual([folded]);
    expect(fold(tag.toLocaleUpperCase("en"))).toBe(folded);
  },
);

test.each([
  ["#harbour", "harbour"],
  ["  #Harbour ", "harbour"],
  ["＃harbour", "harbour"],
  ["harbour", null],
  ["#two words", null],
  ["#", null],
  ["#12", null],
  ["ana #harbour", null],
])("a search for %s asks for the tag %s", (query, tag) => {
  expect(tagAsked(query)).toBe(tag);
});
