import { isId } from "#server/db/ids.ts";
import { idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import * as queries from "#server/features/posts/feed/feed.queries.ts";
import { feedPosts } from "#server/features/posts/posts.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

/** The home feed: posts of followed accounts, newest first, each once. */
export function createFeed({ db }: { db: Database }) {
  /** Two round trips: which posts, then all of them with everything they show. */
  async function home(
    viewer: Viewer,
    cursor: string | null,
    size: number = limits.feedPage,
  ): Promise<Page<FeedPost>> {
    const place = { viewerId: viewer.id, below: idBelow(cursor), limit: size + 1 };
    const keys = await queries.homePostKeys(db, place);
    const { items, nextCursor } = toPage(
      keys.map((key) => ({ key: [key.id], item: key })),
      size,
    );
    return { items: await feedPosts(db, viewer.id, items), nextCursor };
  }

  /** How many posts came since the post `id`; 99 stands for 99 and more. */
  async function newerCount(viewer: Viewer, id: string): Promise<number> {
    if (!isId(id)) throw refuse("input-invalid");
    const { newerPosts } = limits;
    return queries.newerPostCount(db, { viewerId: viewer.id, above: id, atMost: newerPosts });
  }

  return { home, newerCount };
}
