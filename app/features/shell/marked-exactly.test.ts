import { expect, test } from "vitest";
import { markedExactly } from "#app/features/shell/marked-exactly.ts";

test("one's profile is marked on the pages below it, but not on somebody else's lists", () => {
  for (const own of ["/profile/edit", "/profile/followers/ana", "/Profile/Following/ANA"]) {
    expect(markedExactly("/profile", own, "ana"), own).toBe(false);
  }
  for (const list of ["followers", "following"]) {
    expect(markedExactly("/profile", `/profile/${list}/bo`, "ana")).toBe(true);
    expect(markedExactly("/profile", `/profile/${list}/bo`, null)).toBe(true);
  }
  expect(markedExactly("/", "/search", null)).toBe(true);
  expect(markedExactly("/settings", "/settings/security", "ana")).toBe(false);
});
