import { expect, test } from "vitest";
import { rankSum } from "./rank-sum.ts";

test("the rank sum says which of two samples tends to be larger, and by how many deviations", () => {
  // by hand: U = 0 of 9 pairs, expected 4.5, deviation √(9 · 7 / 12)
  expect(rankSum([1, 2, 3], [4, 5, 60])).toBeCloseTo(-1.964, 3);
  expect(rankSum([4, 5, 60], [1, 2, 3])).toBeCloseTo(1.964, 3);
});

test("the rank sum of equal samples is zero", () => {
  expect(rankSum([1, 4, 4], [4, 1, 4])).toBe(0);
});
