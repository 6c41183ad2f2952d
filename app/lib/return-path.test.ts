import { expect, test } from "vitest";
import { safeReturnPath, signInPath, withReturn } from "#app/lib/return-path.ts";

test("a member returns to a path of ours, with its query and hash", () => {
  expect(safeReturnPath("/upload")).toBe("/upload");
  expect(safeReturnPath("/search?q=jos%C3%A9#results")).toBe("/search?q=jos%C3%A9#results");
  expect(safeReturnPath("/post/ada@example.org/3")).toBe("/post/ada@example.org/3");
  expect(safeReturnPath("/search?next=https://elsewhere.example")).toBe(
    "/search?next=https://elsewhere.example",
  );
});

test.each([
  [null],
  [""],
  ["upload"],
  ["//elsewhere.example"],
  ["///elsewhere.example"],
  ["/\\elsewhere.example"],
  ["/.//elsewhere.example"],
  ["/a/..//elsewhere.example"],
  ["/%2e//elsewhere.example"],
  ["\\\\elsewhere.example"],
  ["https://elsewhere.example/"],
  ["javascript:alert(1)"],
  ["/\t/elsewhere.example"],
  ["/\n/elsewhere.example"],
  [" //elsewhere.example"],
])("%j leads home instead of to another site", (wanted) => {
  expect(safeReturnPath(wanted)).toBe("/");
});

test("nobody is returned to the sign-in form they just filled in", () => {
  expect(safeReturnPath("/SignIn?returnTo=/upload")).toBe("/");
  expect(safeReturnPath("/signOut")).toBe("/");
  expect(safeReturnPath("/signIn/code?returnTo=/upload")).toBe("/");
});

test("the sign-in link remembers the page that was first requested", () => {
  expect(signInPath({ pathname: "/saved", search: "?kind=texts" })).toBe(
    "/signIn?returnTo=%2Fsaved%3Fkind%3Dtexts",
  );
  expect(signInPath({ pathname: "/" })).toBe("/signIn");
  expect(withReturn("/signUp", "//elsewhere.example")).toBe("/signUp");
});
