import { expect, test } from "vitest";
import { inWords, shortCount } from "#app/lib/text/counts.ts";

test("counts are whole up to 9,999 and short above", () => {
  expect([0, 999, 9999, 12_345, 2_500_000].map(shortCount)).toEqual([
    "0",
    "999",
    "9,999",
    "12.3K",
    "2.5M",
  ]);
});

test("one like, two likes", () => {
  expect(inWords(1, "like")).toBe("1 like");
  expect(inWords(2, "like")).toBe("2 likes");
});

test("thousands are set apart", () => {
  expect(inWords(1234567, "like")).toBe("1,234,567 likes");
});
