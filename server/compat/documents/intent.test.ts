import { describe, expect, test } from "vitest";
import {
  foldAddress,
  namesCaller,
  postKey,
  readIntent,
  readLike,
} from "#server/compat/documents/intent.ts";
import { postedTimeZone } from "#server/compat/documents/posted-time-zone.ts";
import { numberedAddresses } from "#server/compat/documents/threads.ts";
import {
  bookmarksInput,
  editUserInput,
  followInput,
  likesInput,
  uploadInput,
} from "#shared/documents.inputs.ts";
import { parseInput } from "#shared/inputs.ts";
import { storedTime } from "#shared/posts.ts";

const conflict = expect.objectContaining({ code: "conflict" });

/** `held` is all the caller has, oldest first, of which `shown` are sent; numbers stand for entries. */
function read(given: number[], held: number[], { shown = 100, exact = false } = {}) {
  const here = new Set(held);
  return readIntent({
    given: new Set(given),
    held: new Set(given.filter((key) => here.has(key))),
    sent: held.slice(-shown),
    exact,
  });
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("a list that is sent back", () => {
  test.each([
    ["as it was sent", [1, 2, 3], [1, 2, 3], null],
    ["in another order, with entries twice", [3, 1, 1, 2, 3], [1, 2, 3], null],
    ["with one more", [1, 2, 3, 9], [1, 2, 3], { add: 9 }],
    ["with one less", [1, 3], [1, 2, 3], { remove: 2 }],
    ["empty where one was", [], [1], { remove: 1 }],
    ["with the first ever", [1], [], { add: 1 }],
    ["empty where nothing was", [], [], null],
  ])("%s is one wish or none", (_what, given, held, intent) => {
    expect(read(given, held)).toEqual(intent);
  });

  test.each([
    ["two more", [1, 2, 8, 9], [1, 2]],
    ["two less", [1], [1, 2, 3]],
    ["one more and one less: a stale copy", [1, 9], [1, 2]],
    ["nothing left of three", [], [1, 2, 3]],
    ["ten thousand more", upTo(10_000), [1]],
  ])("with %s is refused", (_what, given, held) => {
    expect(() => read(given, held)).toThrow(conflict);
  });

  test("never misses what was not sent", () => {
    const held = upTo(150);
    const sent = held.slice(-100);
    expect(read(sent, held)).toBeNull();
    expect(read([...sent, 999], held)).toEqual({ add: 999 });
    expect(read(sent.slice(1), held)).toEqual({ remove: 51 });
    // A copy from before it grew still has entries that are now beyond the limit.
    expect(read([50, ...sent], held)).toBeNull();
    expect(read([50, ...sent.filter((key) => key !== 70)], held)).toEqual({ remove: 70 });
  });

  test("may be the shorter one of the list of all accounts", () => {
    const held = upTo(60);
    const short = held.slice(-20);
    expect(read(short, held)).toBeNull();
    expect(read([...short, 99], held)).toEqual({ add: 99 });
    expect(read(short.slice(1), held)).toEqual({ remove: 41 });
    expect(() => read(short.slice(2), held)).toThrow(conflict);
    expect(() => read(short.slice(1), held, { exact: true })).toThrow(conflict);
  });

  test("is refused where the shorter one and the longer one mean different things", () => {
    const held = upTo(21);
    expect(() => read(held.slice(-20), held)).toThrow(conflict);
    expect(read(held.slice(-20), held, { exact: true })).toEqual({ remove: 1 });
    expect(read(held.slice(0, 20), held)).toEqual({ remove: 21 });
    expect(read(held, held)).toBeNull();
  });
});

describe("likes that are sent back", () => {
  const held = new Map([
    ["a", true],
    ["b", false],
    ["c", false],
  ]);
  test.each([
    ["as they are", [["a", true] as const, ["b", false] as const], null],
    ["one more", [["a", true] as const, ["b", true] as const], { key: "b", liked: true }],
    ["one less", [["a", false] as const, ["b", false] as const], { key: "a", liked: false }],
    ["of posts that are gone", [["x", true] as const, ["y", true] as const], null],
    ["twice the same", [["b", true] as const, ["b", true] as const], { key: "b", liked: true }],
    ["of few of the posts", [["c", true] as const], { key: "c", liked: true }],
  ])("%s are one wish or none", (_what, given, change) => {
    expect(readLike(given, held)).toEqual(change);
  });

  test.each([
    ["two at once", [["b", true] as const, ["c", true] as const]],
    ["one more and one less", [["a", false] as const, ["b", true] as const]],
    ["of one post, so and otherwise", [["b", true] as const, ["b", false] as const]],
  ])("%s are refused", (_what, given) => {
    expect(() => readLike(given, held)).toThrow(conflict);
  });
});

function problem(schema: Parameters<typeof parseInput>[0], body: unknown): unknown {
  try {
    parseInput(schema, body);
    return null;
  } catch (error) {
    return error;
  }
}

function invalid(field: string): unknown {
  const fields = { [field]: expect.any(String) };
  return expect.objectContaining({ code: "input-invalid", fields });
}

describe("what is sent", () => {
  const post = { postId: 1, time: 2 };
  test.each([
    [followInput, { followerAccounts: "ada" }, "followerAccounts"],
    [followInput, { followerAccounts: [1] }, "followerAccounts"],
    [followInput, { followerAccounts: [null] }, "followerAccounts"],
    [followInput, { followingAccounts: { length: 1, 0: "ada" } }, "followingAccounts"],
    [followInput, { followerAccounts: ["x".repeat(321)] }, "followerAccounts"],
    [followInput, { followerAccounts: Array(10_000).fill("ada") }, "followerAccounts"],
    [followInput, {}, "followerAccounts"],
    [followInput, { followers: 1 }, "followerAccounts"],
    [followInput, null, "form"],
    [followInput, [], "form"],
    [uploadInput, { posts: Array.from({ length: 10_000 }, () => post) }, "posts"],
    [uploadInput, { posts: [{ ...post, time: "yesterday" }] }, "posts"],
    [uploadInput, { posts: [{ ...post, postId: 1.5 }] }, "posts"],
    [uploadInput, { posts: [{ ...post, postId: -1 }] }, "posts"],
    [uploadInput, { posts: [{ ...post, postId: 1e300 }] }, "posts"],
    [uploadInput, { posts: [{ time: 2 }] }, "posts"],
    [uploadInput, { posts: [[]] }, "posts"],
    [uploadInput, { postsCount: 3 }, "posts"],
    [likesInput, { posts: [{ ...post, likeAccounts: "ada" }] }, "posts"],
    [likesInput, { posts: [{ ...post, likeAccounts: [{}] }] }, "posts"],
    [bookmarksInput, { bookMarks: [post] }, "bookMarks"],
    [bookmarksInput, { bookMarks: [{ ...post, author: {} }] }, "bookMarks"],
    [editUserInput, { fName: "", sName: "B" }, "fName"],
    [editUserInput, { fName: "A" }, "sName"],
    [editUserInput, { fName: "A", sName: "B", bio: "x".repeat(501) }, "bio"],
  ])("is refused with the field named (%#)", (schema, body, field) => {
    expect(problem(schema, body)).toEqual(invalid(field));
  });

  test("keeps nothing that the schema does not name", () => {
    const hostile = JSON.parse(
      '{"followerAccounts":["ada","__proto__","constructor"],"__proto__":{"admin":true},"x":1}',
    );
    const read = parseInput(followInput, hostile);
    expect(Object.keys(read)).toEqual(["followerAccounts"]);
    expect((read as { admin?: boolean }).admin).toBeUndefined();
  });
});

test("addresses are compared without case, and what PostgreSQL's text cannot hold is nobody's", () => {
  const own = new Set(["ada@example.org", "ada"]);
  expect(namesCaller(["bob", "ADA@Example.ORG"], own)).toBe(true);
  expect(namesCaller(["Ada"], own)).toBe(true);
  expect(namesCaller(["ada ", "bob", "__proto__", "constructor", ""], own)).toBe(false);
  expect([foldAddress("ada\0"), foldAddress("\ud800")]).toEqual(["", "\ufffd"]);
  expect(postKey({ postId: 3, time: 7 })).toBe("3:7");
});

test("an address joined with a number is read in every possible way", () => {
  expect(numberedAddresses("Ada12")).toEqual([
    { address: "ada1", number: 2 },
    { address: "ada", number: 12 },
  ]);
  expect(numberedAddresses("ada_105")).toEqual([
    { address: "ada_10", number: 5 },
    { address: "ada_", number: 105 },
  ]);
  expect(numberedAddresses("a@b.org7")).toEqual([{ address: "a@b.org", number: 7 }]);
  for (const none of ["", "ada", "7", "ada0", "a\x007"])
    expect(numberedAddresses(none)).toEqual([]);
  expect(numberedAddresses(`a${"1".repeat(100_000)}`)).toHaveLength(10);
});

describe("the zone of a post", () => {
  const time = Date.parse("2026-03-01T23:40:31.500Z");
  test.each([
    ["UTC", "+00:00"],
    ["Europe/Madrid", "+01:00"],
    ["America/New_York", "-05:00"],
    ["Asia/Kathmandu", "+05:45"],
    ["Pacific/Kiritimati", "+14:00"],
  ])("is read out of its texts: %s", (zone, offset) => {
    const post = { postId: 1, time, ...storedTime(time, zone) };
    expect(postedTimeZone(post)).toBe(offset);
    expect(storedTime(time, offset)).toEqual(storedTime(time, zone));
  });

  test.each([
    [{}],
    [{ currentHours: "noon" }],
    [{ currentHours: "3:05 pm", currentDate: 1, currentMonth: 3, currentYear: 1999 }],
    [{ currentHours: "3:05 pm", currentDate: 1, currentMonth: 3, currentYear: 1e300 }],
  ])("is unknown where they say nothing (%#)", (texts) => {
    expect(postedTimeZone({ postId: 1, time, ...texts })).toBeNull();
  });
});
