import { bind } from "#server/platform/bind.ts";
import { idAt, isId, newId, timeOf } from "#server/platform/db/ids.ts";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { unlessReadOnly } from "#server/platform/db/database-faults.ts";
import { mutedWordsOf, filteredPage } from "#server/features/people/index.ts";
import * as queries from "#server/features/posts/feed/feed.queries.ts";
import type { HomeLists } from "#server/features/posts/feed/home-lists.ts";
import { hidesPost, withoutMutedComments } from "#server/features/posts/muted-posts.ts";
import {
  feedPosts,
  postsWithAuthors,
  type PostKey,
  type PostWithAuthor,
} from "#server/features/posts/posts.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

/** A member who comes back within this time continues the same visit. */
const visitEndsAfterMs = 30 * 60 * 1000;

const pageOf = (keys: PostKey[], size: number) =>
  toPage(
    keys.map((key) => ({ key: [key.id], item: key })),
    size,
  );

type Deps = {
  db: Database;
  /** lists written ahead: without them the same posts are read, at a greater cost */
  lists?: Pick<HomeLists, "refreshSoon">;
};

/** The home feed: posts of followed accounts, newest first, each once. */
export function createFeed(deps: Deps) {
  const { db } = deps;
  return {
    ...bind(deps, { home, visit, newerCount }),
    written: (viewer: Viewer, cursor: string | null, size: number) =>
      written(deps, viewer, { cursor, size }),
    /** The member scrolled down to where their last visit ended. */
    reachLine: (viewer: Viewer) => queries.reachLine(db, viewer.id),
  };
}

type PageRequest = { cursor: string | null; size: number };

async function home(
  deps: Deps,
  viewer: Viewer,
  cursor: string | null,
  size: number = limits.feedPage,
): Promise<Page<FeedPost>> {
  return readable(viewer, { cursor, size }, (request) => read(deps, viewer, request));
}

/** Two round trips: which posts, then all of them with everything they show. */
async function read(deps: Deps, viewer: Viewer, request: PageRequest): Promise<Page<FeedPost>> {
  const { items, nextCursor } = await keysOf(deps, queries.homePostKeys, viewer, request);
  return { items: await feedPosts(deps.db, viewer.id, items), nextCursor };
}

async function keysOf(
  { db, lists }: Deps,
  find: typeof queries.homePostKeys,
  viewer: Viewer,
  { cursor, size }: PageRequest,
): Promise<Page<PostKey>> {
  const request = { viewerId: viewer.id, below: idBelow(cursor), limit: size + 1 };
  const { keys, due } = await find(db, request);
  if (due) lists?.refreshSoon(viewer.id);
  return pageOf(keys, size);
}

/**
 * A page for programs, which expect the viewer's own posts among those of home: each post with its author's
 * profile, as far as one statement reads it.
 */
async function written(
  deps: Deps,
  viewer: Viewer,
  request: PageRequest,
): Promise<Page<PostWithAuthor>> {
  const hides = hidesPost(viewer);
  return filteredPage(
    hides && (({ post }: PostWithAuthor) => hides(post)),
    request,
    async (cursor, size) => {
      const from = { cursor, size };
      const { items, nextCursor } = await keysOf(deps, queries.homeAndOwnKeys, viewer, from);
      return { items: await postsWithAuthors(deps.db, viewer.id, items), nextCursor };
    },
  );
}

/**
 * The first page for the member who opens home, in two round trips too. Posts up to `caughtUpTo`, the id of
 * a moment, existed when their last visit ended, on whichever device; null in a first visit, and where the
 * database is read-only. A visit that does not get down to it leaves it where it is, so that no post is
 * missed.
 */
async function visit(
  deps: Deps,
  viewer: Viewer,
  size: number,
): Promise<{ page: Page<FeedPost>; caughtUpTo: string | null }> {
  const { db, lists } = deps;
  const now = newId();
  const request = { viewerId: viewer.id, limit: size + 1 };
  const began = idAt(timeOf(now) - visitEndsAfterMs);
  const visited = await unlessReadOnly(queries.visitedPostKeys(db, request, { now, began }), null);
  if (!visited) return { page: await home(deps, viewer, null, size), caughtUpTo: null };
  const { items, nextCursor } = pageOf(visited.keys, size);
  if (visited.due) lists?.refreshSoon(viewer.id);
  let posts = await feedPosts(db, viewer.id, items);
  // The keys come from the database that visits are written to; a replica may not have the newest posts yet.
  if (db.hasReplica && posts.length < items.length)
    posts = await db.transaction(() => feedPosts(db, viewer.id, items));
  const first = { items: posts, nextCursor };
  const page = await readable(viewer, { cursor: null, size }, async (from) =>
    from.cursor === null ? first : read(deps, viewer, from),
  );
  return { page, caughtUpTo: visited.caughtUpTo };
}

/** How many posts are newer than the post `id`; 99 stands for 99 and more. */
async function newerCount(deps: Deps, viewer: Viewer, id: string): Promise<number> {
  if (!isId(id)) throw refuse("input-invalid");
  const { newerPosts: atMost } = limits;
  if (mutedWordsOf(viewer)) return newerReadable(deps, viewer, id, atMost);
  return queries.newerPostCount(deps.db, { viewerId: viewer.id, above: id, atMost });
}

/** The same, without posts that muted words hide: those are read, and their words compared. */
async function newerReadable(
  deps: Deps,
  viewer: Viewer,
  id: string,
  atMost: number,
): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  // This many pages hold as many as are counted; where most are hidden, there are fewer.
  for (let pages = 0; pages * limits.feedPage < atMost; pages += 1) {
    const page: Page<FeedPost> = await home(deps, viewer, cursor);
    count += page.items.filter((post) => post.id > id).length;
    cursor = page.nextCursor;
    if (cursor === null || idBelow(cursor) <= id) break;
  }
  return Math.min(count, atMost);
}

/** Without the posts that the viewer's muted words hide, and still a full page. */
async function readable(
  viewer: Viewer,
  request: PageRequest,
  reading: (request: PageRequest) => Promise<Page<FeedPost>>,
): Promise<Page<FeedPost>> {
  const hides = hidesPost(viewer);
  const page = await filteredPage(hides, request, (cursor, size) => reading({ cursor, size }));
  return hides ? { ...page, items: page.items.map(withoutMutedComments(viewer)) } : page;
}
