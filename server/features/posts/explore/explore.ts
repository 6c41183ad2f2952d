import {
  highestId,
  idAbove,
  idBelow,
  toPage,
  writeCursor,
  type IdRange,
} from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idAt } from "#server/platform/db/ids.ts";
import type { ExploreMode, OperatorSettings } from "#server/features/operator/index.ts";
import * as queries from "#server/features/posts/explore/explore.queries.ts";
import { filteredPage } from "#server/features/people/index.ts";
import { hidesTile } from "#server/features/posts/muted-posts.ts";
import { lockCounters } from "#server/features/posts/post-writes.queries.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Page, PostTile, Viewer } from "#shared/views.ts";

const { accountHours, landingPhotos } = limits.explore;
const below = (from: string, limit: number) => ({ from, upward: false, limit });
const nothing: Page<PostTile> = { items: [], nextCursor: null };

/** Recent photos of everybody, for those who follow nobody yet: on the landing page, and in Search. */
export function createExplore({ db, settings }: { db: Database; settings: OperatorSettings }) {
  /**
   * Of accounts older than a day, or of the first day that there were any, whose owners did not turn it off;
   * none where the operator did.
   */
  async function recent(viewer: Viewer | null, cursor: string | null): Promise<Page<PostTile>> {
    const [mode, page] = await Promise.all([
      settings.get("explore"),
      filteredPage(hidesTile(viewer), { cursor, size: limits.gridPage }, (from, size) =>
        read(db, viewer, below(idBelow(from), size)),
      ),
    ]);
    return isShown(mode, viewer) ? page : nothing;
  }

  /** Those right above an id, newest first. */
  async function above(viewer: Viewer | null, range: IdRange): Promise<PostTile[]> {
    if (!isShown(await settings.get("explore"), viewer)) return [];
    const request = { cursor: writeCursor([range.above]), size: range.limit };
    const { items } = await filteredPage(hidesTile(viewer), request, (from, limit) =>
      read(db, viewer, { from: idAbove(from), upward: true, limit }),
    );
    return items.filter(({ id }) => id < range.below).toReversed();
  }

  /** The photos that a visitor finds on the landing page, in two round trips. */
  async function landing() {
    const [set, { items }] = await Promise.all([
      settings.getAll(["site-name", "site-line", "sign-up", "explore"]),
      read(db, null, below(highestId, landingPhotos)),
    ]);
    return {
      name: set["site-name"],
      line: set["site-line"],
      signUp: set["sign-up"],
      photos: isShown(set.explore, null) ? items : [],
    };
  }

  /** Which of these posts members find there now, by their ids. */
  async function among(posts: readonly PostKey[]): Promise<Set<string>> {
    if (posts.length === 0) return new Set();
    const [mode, ids] = await Promise.all([
      settings.get("explore"),
      queries.recentAmong(db, posts, joinedBefore()),
    ]);
    return new Set(mode === "nobody" ? [] : ids);
  }

  return {
    recent,
    above,
    among,
    landing,
    setHidden: (post: PostRef, hidden: boolean) => setHidden(db, post, hidden),
  };
}

export type Explore = ReturnType<typeof createExplore>;

/** Accounts with this id or a later one are too young, but for those of the first day. */
const joinedBefore = () => idAt(Date.now() - accountHours * 3_600_000);

async function read(
  db: Database,
  viewer: Viewer | null,
  { limit: size, ...on }: { from: string; upward: boolean; limit: number },
) {
  const rows = await queries.recentPhotos(db, {
    ...on,
    viewerId: viewer?.id ?? null,
    joinedBefore: joinedBefore(),
    limit: size + 1,
  });
  return toPage(rows, size);
}

/** The operator removes a post from there, or allows it again. Refuses with not-found. */
async function setHidden(db: Database, { authorId, postId }: PostRef, hidden: boolean) {
  await db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, authorId);
    const written = await queries.writeHidden(db, { authorId, id: postId }, hidden);
    if (!written) throw refuse("not-found");
    await queries.renewRecent(db, authorId);
  });
}

function isShown(mode: ExploreMode, viewer: Viewer | null): boolean {
  return mode === "everyone" || (mode === "members" && viewer !== null);
}
