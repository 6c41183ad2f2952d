import type { Logger } from "pino";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { inBatches, type AfterBatch } from "#server/features/in-batches.ts";
import { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import {
  deletePost,
  deletePostsOf,
  lockCounters,
} from "#server/features/posts/post-writes.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  images: Pick<Images, "removeFiles">;
  notifications?: Notifier;
  log: Pick<Logger, "warn">;
  publish: Publish;
  /** resolves an address and a number to a post; refuses with not-found */
  refAt: (viewer: Viewer, address: string, number: number) => Promise<PostRef>;
};

/** Posts of one transaction of a deletion: each deletes its photos' rows as well. */
const postsAtOnce = 50;

/** Deletion of posts: by their authors, by moderators, with their accounts. */
export const createPostRemoval = (deps: Deps) =>
  bind(deps, { remove, removeThese, takeDown, removeFiles, removeAllOf });

/**
 * With its comments, likes, everybody's bookmarks and, after the commit, its files: also inside a caller's
 * transaction.
 */
async function remove(deps: Deps, viewer: Viewer, address: string, number: number): Promise<void> {
  const { db, refAt } = deps;
  let filesGone: Promise<void> | undefined;
  await db.transaction(async () => {
    db.seenAtOnce();
    const post = await refAt(viewer, address, number);
    if (post.authorId !== viewer.id) throw refuse("not-yours");
    const keys = found(await deleteRows(deps, post));
    db.afterCommit(() => {
      filesGone = removeFiles(deps, keys);
    });
  });
  await filesGone;
}

/** Deletes the post's rows, in a transaction; the keys of its files, null where it is gone. */
async function deleteRows(
  { db, notifications, publish }: Deps,
  post: PostRef,
): Promise<string[] | null> {
  await lockCounters(db, post.authorId);
  const deleted = await deletePost(db, post);
  if (!deleted) return null;
  const { keys, audience } = deleted;
  if (keys.length > 0) await renewRecent(db, post.authorId);
  await notifications?.retract.post(post);
  publish({ kind: "gone", ...post, audience });
  return keys;
}

/** Some posts of one author, in one transaction. */
async function removeThese(deps: Deps, posts: readonly PostRef[]): Promise<void> {
  const { db } = deps;
  let filesGone: Promise<void> | undefined;
  await db.transaction(async () => {
    db.seenAtOnce();
    const files: string[] = [];
    for (const post of posts) files.push(...((await deleteRows(deps, post)) ?? []));
    db.afterCommit(() => {
      filesGone = removeFiles(deps, files);
    });
  });
  await filesGone;
}

/** The same by moderators, in their transaction. It may be gone already. */
async function takeDown(deps: Deps, post: PostRef): Promise<void> {
  const keys = await deleteRows(deps, post);
  if (keys) deps.db.afterCommit(() => void removeFiles(deps, keys));
}

/** Never throws: remaining files have no row and are left to the sweep. */
async function removeFiles({ images, log }: Deps, files: readonly string[]): Promise<void> {
  await images.removeFiles(files).catch((error: unknown) => {
    log.warn({ err: error, files }, "images that no post shows any more are still stored");
  });
}

/** The posts of an account that is being deleted; their images still exist afterwards. */
async function removeAllOf({ db }: Deps, accountId: string, afterBatch: AfterBatch): Promise<void> {
  const batch = { accountId, limit: postsAtOnce };
  await inBatches(db, afterBatch, () => deletePostsOf(db, batch));
}

export type PostRemoval = ReturnType<typeof createPostRemoval>;
