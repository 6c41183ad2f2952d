import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { inBatchesOfBoth, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/posts/bookmarks/bookmarks.queries.ts";
import type { PostAt } from "#server/features/posts/lock.queries.ts";
import { checkPostAt } from "#server/features/posts/posts.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Page, PostKind, PostView, BookmarkCounts, Viewer } from "#shared/views.ts";

/** A member's bookmarks; nobody else ever sees them. */
export function createBookmarks({ db, newId = freshId }: { db: Database; newId?: NewId }) {
  /** Bookmarking again changes nothing, also not its position in the list. */
  async function save(viewer: Viewer, at: PostAt): Promise<{ saved: boolean }> {
    checkPostAt(at);
    const bookmark = { at, accountId: viewer.id, id: newId() };
    if (!(await queries.insertBookmark(db, bookmark))) throw refuse("not-found");
    return { saved: true };
  }

  /** By its key it works for a post that nobody can see any more, too. */
  async function unsave(viewer: Viewer, at: PostAt): Promise<{ saved: boolean }> {
    checkPostAt(at);
    const bookmark = { at, accountId: viewer.id };
    if (!(await queries.deleteBookmark(db, bookmark))) throw refuse("not-found");
    return { saved: false };
  }

  /** Latest bookmark first. */
  async function list(
    viewer: Viewer,
    kind: PostKind,
    cursor: string | null,
  ): Promise<Page<PostView>> {
    const size = kind === "photos" ? limits.gridPage : limits.feedPage;
    const rows = await queries.bookmarkedPosts(db, {
      viewerId: viewer.id,
      hasPhoto: kind === "photos",
      below: idBelow(cursor),
      limit: size + 1,
    });
    return toPage(rows, size);
  }

  /** The number of bookmarks in each tab, counted to 100. */
  async function counts(viewer: Viewer): Promise<BookmarkCounts> {
    return queries.bookmarkCounts(db, viewer.id, limits.countedBookmarks);
  }

  /** Of an account that is being deleted: its bookmarks, and others' bookmarks of its posts. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    await inBatchesOfBoth(db, accountId, afterBatch, (side, batch) =>
      queries.deleteBookmarksOf(db, side, batch),
    );
  }

  return { save, unsave, list, counts, removeAllOf };
}

export type Bookmarks = ReturnType<typeof createBookmarks>;
