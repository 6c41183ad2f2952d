import { describe, expect, test } from "vitest";
import { foldQuery } from "#shared/search.ts";
import { isBlank, lengthProblem, searchName } from "#shared/text.ts";

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
