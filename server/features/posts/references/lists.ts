import { bind } from "#server/platform/bind.ts";
import {
  highestId,
  lowestId,
  toRangePage,
  type IdRange,
  type RangePage,
} from "#server/platform/db/cursors.ts";
import { idsAround, readDecimal } from "#server/platform/db/decimal-ids.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { homeAndOwnKeysAbove } from "#server/features/posts/feed/feed.queries.ts";
import { hidesPost } from "#server/features/posts/muted-posts.ts";
import { feedPosts, type PostKey } from "#server/features/posts/posts.queries.ts";
import * as queries from "#server/features/posts/references/references.queries.ts";
import type { StatusRef } from "#server/features/posts/references/references.queries.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

/** The most pages that are read to find posts that no muted word hides. */
const mostUpward = 10;

/** Ends of a list, as decimal ids; null: no such end. `minimum` asks for the entries right after it. */
export type ListBounds = { below: string | null; above: string | null; minimum: string | null };

/** Lists of posts that can be read in both directions. */
export function createLists(db: Database) {
  return {
    ...bind(db, { rangeOf, ofAuthor, homeAbove }),

    /** What the viewer liked, in the order of liking. */
    liked: (viewer: Viewer, range: IdRange) => postsByKeys(db, queries.likedKeys, viewer, range),

    /** The viewer's bookmarks, in the order of bookmarking, photos and words alike. */
    saved: (viewer: Viewer, range: IdRange) =>
      postsByKeys(db, queries.bookmarkedKeys, viewer, range),

    /** Posts of these ids alone, in their order. */
    byIds: async (viewer: Viewer | null, ids: readonly string[]): Promise<FeedPost[]> =>
      feedPosts(db, viewer?.id ?? null, await queries.keysOf(db, ids.filter(isId))),
  };
}

/** Resolves decimal ids to posts and comments; whether they may be seen is left to the next read. */
export async function findRefs(
  db: Database,
  typed: readonly string[],
): Promise<Map<string, StatusRef>> {
  const decimals = typed.filter((text) => readDecimal(text) !== null);
  if (decimals.length === 0) return new Map();
  const rows = await queries.refsOf(db, decimals);
  const found = new Map<string, StatusRef>();
  for (const decimal of decimals) {
    const all = rows.filter((row) => row.decimal === decimal);
    const own = all.filter(({ imported }) => !imported);
    const [one, other] = own.length > 0 ? own : all;
    if (one && !other) {
      const { authorId, postId, commentId } = one;
      found.set(decimal, { authorId, postId, commentId });
    }
  }
  return found;
}

/** The ids between which a list is read: those of the rows where they exist, otherwise of their times. */
export async function rangeOf(
  db: Database,
  { below, above, minimum }: ListBounds,
  limit: number,
): Promise<IdRange> {
  const wanted = [below, above, minimum].filter((one) => one !== null);
  const found = await findRefs(db, wanted);
  const idOf = (decimal: string, end: "lowest" | "highest") => {
    const ref = found.get(decimal);
    return ref ? (ref.commentId ?? ref.postId) : idsAround(decimal)[end];
  };
  const lower = minimum ?? above;
  return {
    below: below === null ? highestId : idOf(below, "lowest"),
    above: lower === null ? lowestId : idOf(lower, "highest"),
    upward: minimum !== null,
    limit,
  };
}

/** Posts of one account, newest first. */
async function ofAuthor(
  db: Database,
  viewer: Viewer | null,
  authorId: string,
  ends: ListBounds,
  { limit, onlyPhotos }: { limit: number; onlyPhotos: boolean },
): Promise<FeedPost[]> {
  if (!isId(authorId)) return [];
  return postsOf(db, viewer, authorId, await rangeOf(db, ends, limit), onlyPhotos);
}

export async function postsOf(
  db: Database,
  viewer: Viewer | null,
  authorId: string,
  range: IdRange,
  onlyPhotos = false,
): Promise<FeedPost[]> {
  const viewerId = viewer?.id ?? null;
  const keys = await queries.keysOfAuthor(db, { viewerId, authorId }, range, onlyPhotos);
  return feedPosts(db, viewerId, range.upward ? keys.toReversed() : keys);
}

/**
 * The entries right after a post of the viewer's home, their own posts included, newest first. Posts hidden
 * by muted words leave no hole: reading continues, within bounds.
 */
async function homeAbove(
  db: Database,
  viewer: Viewer,
  ends: ListBounds,
  limit: number,
): Promise<FeedPost[]> {
  const range = await rangeOf(db, ends, limit);
  const hides = hidesPost(viewer);
  const found: FeedPost[] = [];
  let above: string | undefined = range.above;
  for (
    let pages = 0;
    pages < mostUpward && above !== undefined && found.length < limit;
    pages += 1
  ) {
    const page = { viewerId: viewer.id, below: range.below, above, limit };
    const keys: PostKey[] = await homeAndOwnKeysAbove(db, page);
    const read = await feedPosts(db, viewer.id, keys);
    found.push(...(hides ? read.filter((post) => !hides(post)) : read));
    above = keys.length < limit ? undefined : keys.at(-1)?.id;
  }
  return found.slice(0, limit).toReversed();
}

async function postsByKeys(
  db: Database,
  read: typeof queries.likedKeys,
  viewer: Viewer,
  range: IdRange,
): Promise<RangePage<FeedPost>> {
  const rows = await read(db, viewer.id, { ...range, limit: range.limit + 1 });
  const page = toRangePage(
    rows.map((item) => ({ key: [item.heldId], item })),
    range,
  );
  return { ...page, items: await feedPosts(db, viewer.id, page.items) };
}
