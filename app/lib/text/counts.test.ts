import { expect, test } from "vitest";
import { compactCount, wholeCount } from "#app/lib/text/counts.ts";

test("counts are whole up to 9,999 and short above", () => {
  expect([0, 999, 9999, 12_345, 2_500_000].map(compactCount)).toEqual([
    "0",
    "999",
    "9,999",
    "12.3K",
    "2.5M",
  ]);
});

test("thousands are separated", () => {
  expect(wholeCount(1234567)).toBe("1,234,567");
});
