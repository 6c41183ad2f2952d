import type { DevicePost } from "#app/features/archive/device/read-export.ts";

/** A post that can be ticked, with its place in the list that a range is chosen in. */
type Choosable = { post: DevicePost; index: number };
export type Year = { year: number; posts: Choosable[] };

/** The posts that can come, newest first, by the years they are of on this device. */
export function yearsOf(posts: readonly DevicePost[]): Year[] {
  const years: Year[] = [];
  const sorted = posts.filter(({ problem }) => problem === null).toReversed();
  for (const [index, post] of sorted.entries()) {
    const year = new Date(post.time).getFullYear();
    const last = years.at(-1);
    if (last?.year === year) last.posts.push({ post, index });
    else years.push({ year, posts: [{ post, index }] });
  }
  return years;
}

/** `ticked` with these posts ticked, or without them; those that are here already never are. */
export function withTicks(
  ticked: ReadonlySet<string>,
  posts: readonly DevicePost[],
  { on, known }: { on: boolean; known: ReadonlySet<string> },
): Set<string> {
  const next = new Set(ticked);
  for (const { key } of posts) {
    if (on && !known.has(key)) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** The posts between two places, both included. */
export function rangeOf(years: readonly Year[], from: number, to: number): DevicePost[] {
  const [first, last] = from < to ? [from, to] : [to, from];
  return years
    .flatMap(({ posts }) => posts)
    .slice(first, last + 1)
    .map(({ post }) => post);
}

/** How many are ticked, and what they weigh. */
export function sumOf(posts: readonly DevicePost[], ticked: ReadonlySet<string>) {
  const sum = { posts: 0, photos: 0, bytes: 0 };
  for (const { key, pictures, bytes } of posts) {
    if (!ticked.has(key)) continue;
    sum.posts += 1;
    sum.photos += pictures.length;
    sum.bytes += bytes;
  }
  return sum;
}
