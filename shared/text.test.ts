import { describe, expect, test } from "vitest";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { foldWords } from "#shared/muted-words.ts";
import { composePassword } from "#shared/passwords.ts";
import { foldQuery } from "#shared/search.ts";
import { fold } from "#shared/tags.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { normalizeText } from "#shared/normalize.ts";
import { cleanText, isBlank, lengthProblem, searchName, toSearchText } from "#shared/text.ts";

describe("what search compares", () => {
  test.each([
    ["José  Ángel", "jose_angel", "joseangel jose_angel"],
    ["", "user_ab12", "user_ab12"],
    ["Иван Петров", "ivan", "иванпетров ivan"],
    ["Işık GROẞ", "isik", "isikgross isik"],
    ["Σουρής", "souris", "σουρησ souris"],
    ["د\u200fא\u200d❤\ufe0f", "heart", "دא❤ heart"],
  ])("of %j as %s", (name, username, folded) => {
    expect(searchName(name, username)).toBe(folded);
  });

  test("is never longer than an index can hold", () => {
    const marks = "ก".concat("่".repeat(4000));
    expect(new TextEncoder().encode(searchName(marks, "x".repeat(30))).length).toBeLessThan(1000);
  });

  test.each([
    ["  JOSÉ\tÁn ", "josean"],
    ["@ada", "ada"],
    ["@", "@"],
    ["   ", null],
    ["\u0000\u200b", null],
  ])("folds the query %j to %j", (query, folded) => {
    expect(foldQuery(query)).toBe(folded);
  });
});

describe("a text", () => {
  test.each(["", " \n\t", "\u200b\u200d\ufeff", "\u2800\u3164", "\u00a0", "\u202e"])(
    "with nothing to see is blank (%j)",
    (text) => expect(isBlank(text)).toBe(true),
  );

  test.each(["a", ".", "👍", "\u200bא\u200f", "ㅤㄱ"])(
    "with something to see is not (%j)",
    (text) => expect(isBlank(text)).toBe(false),
  );

  test("that is too long says by how many characters, as people count them", () => {
    const limit = { graphemes: 3, bytes: 100 };
    expect(lengthProblem("A note", "👩‍👩‍👧é1", limit)).toBeNull();
    expect(lengthProblem("A note", "👩‍👩‍👧é12", limit)).toBe(
      "A note can have 3 characters; this is 1 too many.",
    );
    expect(lengthProblem("A note", `a${"\u0301".repeat(60)}`, limit)).toBe(
      "A note has too many combined characters. Please shorten it.",
    );
  });
});

describe("a long run of marks on one letter", () => {
  // in the wrong order: each has to move in front of all before it
  const [above, below, points, wide] = ["\u0301", "\u0323", "\u05b0", "\uff9e"];
  const heaps = [above + below, above + points, above + wide];

  test.each([
    ["cleaning", cleanText],
    ["a search", toSearchText],
    ["a muted word", foldWords],
    ["a tag", fold],
  ])("costs %s twice as much when it is twice as high", async (_what, read) => {
    const reading = (pairs: number) => () => {
      for (const pair of heaps)
        for (let turn = 0; turn < 3; turn += 1) read(`a${pair.repeat(pairs)}`);
    };
    const ratio = await cpuRatio({ hostile: reading(8000), harmless: reading(4000), rounds: 3 });
    expect(ratio).toBeLessThan(3);
  });

  test("is nobody's password, and is not looked at", () => {
    const typed = heaps.join("").repeat(100);
    expect(composePassword(typed)).toBe(typed);
    expect(composePassword("e\u0301")).toBe("\u00e9");
  });

  test("is split by an invisible character, once, and real text is unchanged", () => {
    const high = `a${"\u0301\u0323".repeat(100)}`;
    const parted = cleanText(high);
    expect(parted).not.toBe(high.normalize("NFC"));
    expect(parted.replaceAll("\u034f", "")).toHaveLength(high.length - 1);
    expect(countGraphemes(parted)).toBe(1);
    expect(cleanText(parted)).toBe(parted);
    for (const written of [`a${"\u0301\u0323".repeat(15)}`, "Việt", "नमस्ते", "שָׁלוֹם", "ｶﾞｷﾞ"]) {
      for (const form of ["NFC", "NFKC", "NFKD"] as const) {
        expect(normalizeText(written, form)).toBe(written.normalize(form));
      }
    }
  });
});
