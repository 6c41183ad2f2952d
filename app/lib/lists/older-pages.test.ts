import { expect, test } from "vitest";
import { appendPage, joinPages } from "#app/lib/lists/older-pages.ts";

const page = (ids: string, nextCursor: string | null) => ({
  items: Array.from(ids, (id) => ({ id })),
  nextCursor,
});
const idsOf = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id).join("");

test("the next page is appended to the list, without the items it already has", () => {
  const list = appendPage(page("abc", "c"), page("cde", "e"));
  expect(idsOf(list)).toBe("abcde");
  expect(list.nextCursor).toBe("e");
});

test("after going back, a list is as long as it was, with new items in front", () => {
  const loaded = page("defghi", "i");
  const list = joinPages(page("xdef", "f"), loaded);
  expect(idsOf(list)).toBe("xdefghi");
  expect(list.nextCursor).toBe("i");
});

test("items that fell off the first page are found among the loaded ones", () => {
  expect(idsOf(joinPages(page("xyza", "a"), page("abcdef", "f")))).toBe("xyzabcdef");
});

test("items removed from the first page are removed from the list", () => {
  expect(idsOf(joinPages(page("acd", "d"), page("abcdef", "f")))).toBe("acdef");
});

test("after too many changes, and for a list that ends, only the first page is left", () => {
  const strangers = page("uvwx", "x");
  expect(joinPages(strangers, page("abcd", "d"))).toBe(strangers);
  const whole = page("ab", null);
  expect(joinPages(whole, page("abcd", "d"))).toBe(whole);
});
