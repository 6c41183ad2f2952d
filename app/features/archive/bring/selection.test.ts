import { expect, test } from "vitest";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";
import { rangeOf, sumOf, withTicks, yearsOf } from "#app/features/archive/bring/selection.ts";

/** Oldest first, as an export is read. */
const posts = ["2018-03-01", "2018-12-31", "2019-01-01", "2020-06-01"].map(
  (day, at): DevicePost => ({
    id: null,
    key: `instagram:${at}`,
    time: Date.parse(`${day}T23:30:00Z`),
    caption: "",
    pictures: Array.from({ length: at + 1 }, (_, number) => ({
      file: `${at}-${number}.jpg`,
      alt: "",
      focalPoint: null,
    })),
    audience: "everyone",
    warning: null,
    sensitive: false,
    bytes: 100 * (at + 1),
    problem: at === 3 ? "We can't tell its day." : null,
  }),
);
const key = (at: number) => `instagram:${at}`;
const nothing: ReadonlySet<string> = new Set();

test("years are newest first, each with its posts of the export's own days; what cannot come is in none", () => {
  const years = yearsOf(posts);
  expect(years.map(({ year }) => year)).toEqual([2019, 2018]);
  expect(years[1]?.posts.map(({ post, index }) => [post.key, index])).toEqual([
    [key(1), 1],
    [key(0), 2],
  ]);
});

test("a range goes over years, in either direction", () => {
  const years = yearsOf(posts);
  for (const [from, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    expect(rangeOf(years, from, to).map((post) => post.key)).toEqual([key(2), key(1)]);
  }
});

test("ticks are set and taken away, and what is here already is never ticked", () => {
  const all = withTicks(nothing, posts.slice(0, 3), { on: true, known: new Set([key(1)]) });
  expect([...all]).toEqual([key(0), key(2)]);
  expect([...withTicks(all, posts.slice(2, 3), { on: false, known: nothing })]).toEqual([key(0)]);
});

test("the sum is of what is ticked alone", () => {
  expect(sumOf(posts, new Set([key(0), key(2)]))).toEqual({ posts: 2, photos: 4, bytes: 400 });
  expect(sumOf(posts, nothing)).toEqual({ posts: 0, photos: 0, bytes: 0 });
});
