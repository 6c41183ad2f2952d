import { expect, test } from "vitest";
import { idAt, isId, newId, timeOf } from "#server/platform/db/ids.ts";

test("makes ids that are greater each time and contain the time", () => {
  const before = Date.now();
  const ids = Array.from({ length: 1000 }, () => newId());
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  const moments = ids.map(timeOf);
  expect(Math.min(...moments)).toBeGreaterThanOrEqual(before);
  expect(Math.max(...moments)).toBeLessThanOrEqual(Date.now());
});

test.each([0, 1, Date.UTC(1999, 11, 31), Date.UTC(2026, 10, 21, 9, 30, 15, 123)])(
  "makes ids for the time %d, sorted by it and never the same",
  (moment) => {
    const id = idAt(moment);
    expect(isId(id)).toBe(true);
    expect(id).toMatch(/^.{14}7/);
    expect(timeOf(id)).toBe(moment);
    expect(idAt(moment)).not.toBe(id);
    expect(idAt(moment + 1) > id).toBe(true);
  },
);
