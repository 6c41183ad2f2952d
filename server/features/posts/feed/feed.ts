import { idAt, isId, newId, timeOf } from "#server/db/ids.ts";
import { idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { whereWritable } from "#server/db/faults.ts";
import * as queries from "#server/features/posts/feed/feed.queries.ts";
import { feedPosts, type PostKey } from "#server/features/posts/posts.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

/** Who comes back within this time goes on with the visit. */
const visitEndsAfterMs = 30 * 60 * 1000;

const pageOf = (keys: PostKey[], size: number) =>
  toPage(
    keys.map((key) => ({ key: [key.id], item: key })),
    size,
  );

/** The home feed: posts of followed accounts, newest first, each once. */
export function createFeed({ db }: { db: Database }) {
  /** Two round trips: which posts, then all of them with everything they show. */
  async function home(
    viewer: Viewer,
    cursor: string | null,
    size: number = limits.feedPage,
  ): Promise<Page<FeedPost>> {
    const place = { viewerId: viewer.id, below: idBelow(cursor), limit: size + 1 };
    const { items, nextCursor } = pageOf(await queries.homePostKeys(db, place), size);
    return { items: await feedPosts(db, viewer.id, items), nextCursor };
  }

  /**
   * The first page of a member who looks at it, in two round trips too. Posts up to `caughtUpTo`, the
   * id of a moment, were there when their last visit ended, on whichever device; null in a first visit,
   * and where the database takes no writes. A visit that does not get down to it leaves it where it is,
   * so that no post is passed over unseen.
   */
  async function visit(
    viewer: Viewer,
    size: number,
  ): Promise<{ page: Page<FeedPost>; caughtUpTo: string | null }> {
    const now = newId();
    const place = { viewerId: viewer.id, limit: size + 1 };
    const began = idAt(timeOf(now) - visitEndsAfterMs);
    const visited = await whereWritable(queries.visitedPostKeys(db, place, { now, began }), null);
    if (!visited) return { page: await home(viewer, null, size), caughtUpTo: null };
    const { items, nextCursor } = pageOf(visited.keys, size);
    const posts = await feedPosts(db, viewer.id, items);
    return { page: { items: posts, nextCursor }, caughtUpTo: visited.caughtUpTo };
  }

  /** The member came down to where their last visit ended. */
  const reachLine = (viewer: Viewer) => queries.reachLine(db, viewer.id);

  /** How many posts came since the post `id`; 99 stands for 99 and more. */
  async function newerCount(viewer: Viewer, id: string): Promise<number> {
    if (!isId(id)) throw refuse("input-invalid");
    const { newerPosts } = limits;
    return queries.newerPostCount(db, { viewerId: viewer.id, above: id, atMost: newerPosts });
  }

  return { home, visit, reachLine, newerCount };
}
