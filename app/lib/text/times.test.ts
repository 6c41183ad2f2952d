import { expect, test, vi } from "vitest";
import {
  clockTime,
  formatDay,
  exactTime,
  momentOf,
  postTime,
  shortDay,
} from "#app/lib/text/times.ts";
import { periodOf } from "#app/lib/text/periods.ts";

const at = (iso: string) => Date.parse(iso);

test("post times use the twelve-hour clock in the reader's zone", () => {
  expect(clockTime(at("2026-03-12T00:05:00Z"), "UTC")).toBe("12:05 am");
  expect(clockTime(at("2026-03-12T12:00:00Z"), "UTC")).toBe("12:00 pm");
  expect(clockTime(at("2026-03-12T15:05:00Z"), "UTC")).toBe("3:05 pm");
  expect(clockTime(at("2026-03-12T23:30:00Z"), "Europe/Berlin")).toBe("12:30 am");
  expect(clockTime(at("2026-03-12T00:05:00Z"), "Asia/Kathmandu")).toBe("5:50 am");
});

test("days are named, by the reader's own midnight", () => {
  const now = at("2026-03-12T01:00:00Z");
  expect(formatDay(at("2026-03-12T00:10:00Z"), now, "UTC")).toBe("Today");
  expect(formatDay(at("2026-03-11T23:50:00Z"), now, "UTC")).toBe("Yesterday");
  expect(formatDay(at("2026-03-11T23:50:00Z"), now, "Europe/Berlin")).toBe("Today");
  expect(formatDay(at("2026-01-02T12:00:00Z"), now, "UTC")).toBe("2 January");
  expect(formatDay(at("2025-12-31T12:00:00Z"), now, "UTC")).toBe("31 December 2025");
  expect(postTime(at("2026-03-12T00:05:00Z"), now, "UTC")).toBe("Today, 12:05 am");
});

test("periods begin at the reader's own midnight", () => {
  const now = at("2026-03-12T01:00:00Z");
  const then = at("2026-03-11T23:50:00Z");
  expect(periodOf(then, now, "UTC")).toBe("week");
  expect(periodOf(then, now, "Europe/Berlin")).toBe("today");
  expect(periodOf(at("2026-03-06T00:10:00Z"), now, "UTC")).toBe("week");
  expect(periodOf(at("2026-03-05T23:50:00Z"), now, "UTC")).toBe("earlier");
  expect(periodOf(now + 1000, now, "UTC"), "a clock that is ahead").toBe("today");
});

test("the exact time names day, seconds and zone", () => {
  const then = at("2026-11-21T23:05:32Z");
  expect(exactTime(then, "UTC")).toBe("Saturday 21 November 2026, 11:05:32 pm (UTC)");
  expect(exactTime(then, "Asia/Kolkata")).toBe(
    "Sunday 22 November 2026, 4:35:32 am (Asia/Kolkata)",
  );
});

test("a page computes each of its minutes once, and the next page not again", () => {
  const now = at("2026-05-20T12:00:00Z");
  const posts = Array.from({ length: 20 }, (_, index) => now - (index + 1) * 3_600_000);
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
  const page = () =>
    posts.map((then) => [postTime(then, now, "Asia/Tokyo"), exactTime(then, "Asia/Tokyo")]);
  const first = page();
  expect(asked).toHaveBeenCalledTimes(21);
  expect(page()).toEqual(first);
  expect(asked).toHaveBeenCalledTimes(21);
  asked.mockRestore();
  // another zone has a clock of its own, and seconds are those of the given time
  expect(clockTime(now, "Asia/Tokyo")).toBe("9:00 pm");
  expect(clockTime(now, "UTC")).toBe("12:00 pm");
  expect(exactTime(now + 5000, "UTC")).toContain("12:00:05 pm");
});

test("a postmark has the month in short", () => {
  const moment = momentOf(at("2026-09-30T23:30:00Z"), "Europe/Berlin");
  expect(shortDay(moment)).toBe("1 Oct");
});
