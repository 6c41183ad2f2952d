import { expect, test } from "vitest";
import { matchesExactly } from "#app/features/shell/matches-exactly.ts";

test("one's profile is marked on the pages below it, but not on somebody else's lists", () => {
  for (const own of ["/profile/edit", "/profile/followers/ana", "/Profile/Following/ANA"]) {
    expect(matchesExactly("/profile", own, "ana"), own).toBe(false);
  }
  for (const list of ["followers", "following"]) {
    expect(matchesExactly("/profile", `/profile/${list}/bo`, "ana")).toBe(true);
    expect(matchesExactly("/profile", `/profile/${list}/bo`, null)).toBe(true);
  }
  expect(matchesExactly("/", "/search", null)).toBe(true);
  expect(matchesExactly("/settings", "/settings/security", "ana")).toBe(false);
});
