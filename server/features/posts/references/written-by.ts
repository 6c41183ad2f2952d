import type { IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { markMuted } from "#server/features/posts/muted-posts.ts";
import { postsOf, rangeOf, type ListBounds } from "#server/features/posts/references/lists.ts";
import {
  commentItem,
  postItem,
  type PostOrComment,
} from "#server/features/posts/references/post-or-comment.ts";
import * as queries from "#server/features/posts/references/references.queries.ts";
import type { PlacedComment } from "#server/features/posts/references/references.queries.ts";
import type { Viewer } from "#shared/views.ts";

/** Comments that are looked at for one page, `mostRounds` times at most: others may not be for the viewer. */
const keysAtOnce = 80;
const mostRounds = 10;

/** Comments with the viewer's muted words are left out: a program has no notice to hide them behind. */
export function withoutMuted(viewer: Viewer | null, rows: PlacedComment[]): PlacedComment[] {
  const mark = markMuted(viewer);
  return rows.filter(({ comment }) => mark(comment).mutedWord === undefined);
}

/** Posts and comments of one account that the viewer may see, as one list, newest first. */
export async function writtenBy(
  db: Database,
  viewer: Viewer | null,
  accountId: string,
  { ends, limit }: { ends: ListBounds; limit: number },
): Promise<{ items: PostOrComment[]; more: boolean }> {
  if (!isId(accountId)) return { items: [], more: false };
  const range = await rangeOf(db, ends, limit + 1);
  const [posts, comments] = await Promise.all([
    postsOf(db, viewer, accountId, range),
    commentsOf(db, viewer, accountId, range),
  ]);
  const nearest = (one: string, other: string) => (one < other === range.upward ? -1 : 1);
  const all = [
    ...posts.map((post) => ({ id: post.id, item: postItem(post) })),
    ...comments.found.map((placed) => ({ id: placed.comment.id, item: commentItem(placed) })),
  ].toSorted((one, other) => nearest(one.id, other.id));
  // Beyond the last comment that was looked at there may be others.
  const { reached } = comments;
  const known =
    reached === null ? all : all.filter(({ id }) => id === reached || nearest(id, reached) < 0);
  const items = known
    .slice(0, limit)
    .map(({ item }) => item)
    .filter((one) => one.kind === "post" || withoutMuted(viewer, [one.placed]).length > 0);
  return {
    items: range.upward ? items.toReversed() : items,
    more: known.length > limit || reached !== null,
  };
}

/** From the nearer end of the range; `reached` is the last that was looked at, where there may be more. */
async function commentsOf(
  db: Database,
  viewer: Viewer | null,
  accountId: string,
  range: IdRange,
): Promise<{ found: PlacedComment[]; reached: string | null }> {
  const found: PlacedComment[] = [];
  let from = { ...range, limit: keysAtOnce };
  for (let round = 0; round < mostRounds; round += 1) {
    const keys = await queries.commentKeysOf(db, accountId, from);
    found.push(...(await queries.commentsAt(db, viewer?.id ?? null, keys)));
    const last = keys.at(-1)?.commentId;
    if (last === undefined || keys.length < keysAtOnce) return { found, reached: null };
    if (found.length >= range.limit) return { found, reached: last };
    from = range.upward ? { ...from, above: last } : { ...from, below: last };
  }
  return { found, reached: range.upward ? from.above : from.below };
}
