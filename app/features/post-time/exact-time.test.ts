import { expect, test } from "vitest";
import { exactTime } from "#app/features/post-time/exact-time.ts";

test("the exact time names day, seconds and zone", () => {
  const at = Date.parse("2026-11-21T23:05:32Z");
  expect(exactTime(at, "UTC")).toBe("Saturday 21 November 2026, 11:05:32 pm (UTC)");
  expect(exactTime(at, "Asia/Kolkata")).toBe("Sunday 22 November 2026, 4:35:32 am (Asia/Kolkata)");
});
