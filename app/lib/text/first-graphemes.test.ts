import { expect, test } from "vitest";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";

test("a short text stays as it is, a longer one ends with an ellipsis", () => {
  expect(firstGraphemes("Moss", 4)).toBe("Moss");
  expect(firstGraphemes("Moss and fern", 5)).toBe("Moss…");
});

test("a family and an accent are never cut apart", () => {
  expect(firstGraphemes("👨‍👩‍👧‍👦👨‍👩‍👧‍👦 home", 1)).toBe("👨‍👩‍👧‍👦…");
  expect(firstGraphemes("e\u0301te\u0301", 1)).toBe("e\u0301…");
});
