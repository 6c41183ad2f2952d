import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { findVisibleById, type Follows, type Profiles } from "#server/features/people/index.ts";
import type { Bookmarks, Likes, Posts } from "#server/features/posts/index.ts";
import type { Documents } from "#server/compat/documents/documents.ts";
import { createFollowChanges } from "#server/compat/documents/follow-changes.ts";
import { lastNumberOf } from "#server/compat/documents/post-lookups.queries.ts";
import { createPostChanges } from "#server/compat/documents/post-changes.ts";
import { createReactionChanges } from "#server/compat/documents/reaction-changes.ts";
import {
  createChangeQueue,
  unchanged,
  type Precondition,
} from "#server/compat/documents/change-queue.ts";
import type { Change, EditUserInput } from "#shared/documents.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  documents: Documents;
  follows: Pick<Follows, "follow" | "unfollow">;
  posts: Pick<Posts, "publish" | "remove">;
  likes: Pick<Likes, "like" | "unlike">;
  bookmarks: Pick<Bookmarks, "save" | "unsave">;
  profiles: Pick<Profiles, "edit">;
  /** The upload behind an address that this server gave to this account; refuses any other. */
  imageIdAt: (viewer: Viewer, address: string) => Promise<string>;
};

/**
 * Changes by callers of the documented calls. They send whole lists; only the caller's own entries
 * are read, as one change of the current state (intent.ts). All refuse with not-found, with
 * not-yours where another's account is to be changed, with conflict where the list is more than one
 * change, with precondition-failed where the copy is not current; a refused call changes nothing.
 */
export function createChanges(deps: Deps) {
  const { db, profiles, imageIdAt } = deps;
  const queue = createChangeQueue(deps);
  const { enqueue, enqueueOwn } = queue;
  const { follow } = createFollowChanges({ ...deps, queue });
  const { upload } = createPostChanges({ ...deps, queue });
  const { like, bookmark } = createReactionChanges({ ...deps, queue });

  /**
   * For clients that clean up after a post that they deleted: its bookmarks are deleted with it. No
   * bookmark is removed as long as the post exists.
   */
  async function dropBookmarks(viewer: Viewer, address: string, number: number): Promise<Change> {
    return enqueueOwn(viewer, address, null, async () => {
      if (number > (await lastNumberOf(db, viewer.id))) throw refuse("not-found");
      return unchanged;
    });
  }

  /** Names, bio and avatar. `matchedCount` is 0 when the account was deleted meanwhile. */
  async function edit(
    viewer: Viewer,
    id: string,
    sent: EditUserInput,
    precondition: Precondition = null,
  ): Promise<Change> {
    const account = found(isId(id) ? await findVisibleById(db, viewer.id, id) : null);
    return enqueue(viewer, account, precondition, async (accountId) => {
      if (accountId !== viewer.id) throw refuse("not-yours");
      const imageId = sent.image ? await imageIdAt(viewer, sent.image) : null;
      return profiles.edit(viewer, {
        firstName: sent.fName,
        secondName: sent.sName,
        ...(typeof sent.bio === "string" && { bio: sent.bio }),
        ...(imageId && { imageId }),
      });
    });
  }

  return { follow, upload, like, bookmark, dropBookmarks, edit };
}
