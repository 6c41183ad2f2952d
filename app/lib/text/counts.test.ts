import { expect, test } from "vitest";
import { formatCount, compactCount } from "#app/lib/text/counts.ts";

test("counts are whole up to 9,999 and short above", () => {
  expect([0, 999, 9999, 12_345, 2_500_000].map(compactCount)).toEqual([
    "0",
    "999",
    "9,999",
    "12.3K",
    "2.5M",
  ]);
});

test("one like, two likes", () => {
  expect(formatCount(1, "like")).toBe("1 like");
  expect(formatCount(2, "like")).toBe("2 likes");
});

test("thousands are separated", () => {
  expect(formatCount(1234567, "like")).toBe("1,234,567 likes");
});
