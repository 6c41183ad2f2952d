import { expect, test } from "vitest";
import { appendPage, joinPages } from "#app/lib/lists/older-pages.ts";

const page = (ids: string, nextCursor: string | null) => ({
  items: Array.from(ids, (id) => ({ id })),
  nextCursor,
});
const idsOf = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id).join("");

test("the next page comes behind the list, without what is there already", () => {
  const list = appendPage(page("abc", "c"), page("cde", "e"));
  expect(idsOf(list)).toBe("abcde");
  expect(list.nextCursor).toBe("e");
});

test("coming back, a list is as long as it was, with what is new in front", () => {
  const loaded = page("defghi", "i");
  const list = joinPages(page("xdef", "f"), loaded);
  expect(idsOf(list)).toBe("xdefghi");
  expect(list.nextCursor).toBe("i");
});

test("what fell off the first page is found again among what was loaded", () => {
  expect(idsOf(joinPages(page("xyza", "a"), page("abcdef", "f")))).toBe("xyzabcdef");
});

test("what is gone from the first page is gone from the list", () => {
  expect(idsOf(joinPages(page("acd", "d"), page("abcdef", "f")))).toBe("acdef");
});

test("after too many changes, and for a list that ends, the first page stands alone", () => {
  const strangers = page("uvwx", "x");
  expect(joinPages(strangers, page("abcd", "d"))).toBe(strangers);
  const whole = page("ab", null);
  expect(joinPages(whole, page("abcd", "d"))).toBe(whole);
});
