import { describe, expect, test } from "vitest";
import { captionProblem, isTimeZone, storedTime } from "#shared/posts.ts";

describe("the stored time of a post", () => {
  test.each([
    ["2026-03-01T00:05:00Z", "UTC", [1, 3, 2026, "12:05 am"]],
    ["2026-03-01T12:00:00Z", "UTC", [1, 3, 2026, "12:00 pm"]],
    ["2026-03-01T11:59:59Z", "UTC", [1, 3, 2026, "11:59 am"]],
    ["2026-03-01T13:07:00Z", "UTC", [1, 3, 2026, "1:07 pm"]],
    ["2025-12-31T23:30:00Z", "Europe/Madrid", [1, 1, 2026, "12:30 am"]],
    ["2026-01-01T01:30:00Z", "America/New_York", [31, 12, 2025, "8:30 pm"]],
    ["2026-07-01T00:00:00Z", "Asia/Kathmandu", [1, 7, 2026, "5:45 am"]],
    // the night when Madrid's clocks go from 3 back to 2
    ["2026-10-25T00:30:00Z", "Europe/Madrid", [25, 10, 2026, "2:30 am"]],
    ["2026-10-25T01:30:00Z", "Europe/Madrid", [25, 10, 2026, "2:30 am"]],
  ])("%s in %s", (time, zone, [currentDate, currentMonth, currentYear, currentHours]) => {
    const expected = { currentDate, currentMonth, currentYear, currentHours };
    expect(storedTime(Date.parse(time), zone)).toEqual(expected);
  });
});

test("tells time zones from other text", () => {
  for (const zone of ["UTC", "Europe/Madrid"]) expect(isTimeZone(zone), zone).toBe(true);
  for (const zone of ["", "Mars/Olympus", "x".repeat(10_000), "a\u0000"]) {
    expect(isTimeZone(zone), zone).toBe(false);
  }
});

test("says how many characters a caption may have and how many are too many", () => {
  expect(captionProblem("x".repeat(2200))).toBeNull();
  expect(captionProblem("x".repeat(3450))).toBe(
    "A caption can have 2,200 characters; this is 1,250 too many.",
  );
});
