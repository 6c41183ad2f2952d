import { idBelow, lowestId, toPage, toRangePage, type IdRange } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { newId as freshId, type NewId } from "#server/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import { removeReactions } from "#server/features/posts/reactions.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import * as queries from "#server/features/posts/likes/likes.queries.ts";
import type { PostAt } from "#server/features/posts/lock.queries.ts";
import { findPostKey } from "#server/features/posts/posts.queries.ts";
import { checkPostAt, checkPostRef } from "#server/features/posts/posts.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications: Notifier;
  publish: Publish;
  newId?: NewId;
};
type Liked = { liked: boolean; likeCount: number };

/** One like an account and post; the post's count changes with the row. */
export function createLikes({ db, notifications, publish, newId = freshId }: Deps) {
  /**
   * Liking again changes nothing. Answers the count as it is now. One statement where the post is nobody
   * else's at that moment, and no browser or app of its author's is to be rung; else a transaction.
   */
  async function like(viewer: Viewer, at: PostAt): Promise<Liked> {
    checkPostAt(at);
    const row = { accountId: viewer.id, id: newId() };
    const done = await alone((telling) => queries.likeAlone(db, { ...row, at }, telling), row.id);
    if (done) return { liked: true, likeCount: done.likeCount };
    const post = await refOf(viewer, at);
    return db.transaction(async () => {
      const counted = await queries.insertLike(db, { ...post, ...row, id: newId() });
      if (!counted) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      const { likeCount, changed } = counted;
      if (changed) await notifications.notify.liked(viewer.id, post, changed);
      return { liked: true, likeCount };
    });
  }

  async function unlike(viewer: Viewer, at: PostAt): Promise<Liked> {
    checkPostAt(at);
    const row = { accountId: viewer.id };
    const done = await alone((telling) => queries.unlikeAlone(db, { ...row, at }, telling));
    if (done) return { liked: false, likeCount: done.likeCount };
    const post = await refOf(viewer, at);
    return db.transaction(async () => {
      const counted = await queries.deleteLike(db, { ...post, ...row });
      if (!counted) throw refuse("not-found");
      publish({ kind: "post", authorId: post.authorId, postId: post.postId });
      const { likeCount, changed } = counted;
      if (changed) await notifications.retract.act(post.authorId, changed);
      return { liked: false, likeCount };
    });
  }

  /** Null where it needs a transaction, and nothing changed. Refuses a post that is not there to be seen. */
  async function alone(
    change: (telling: queries.Telling) => ReturnType<typeof queries.likeAlone>,
    /** the like that came, if one may */
    actId?: string,
  ) {
    const done = await change(notifications.inStatement);
    if (!done) throw refuse("not-found");
    if (!done.alone) return null;
    const { authorId, postId, told } = done;
    publish({ kind: "post", authorId, postId });
    if (told) notifications.inStatement.told(authorId, actId);
    return done;
  }

  async function refOf(viewer: Viewer, at: PostAt): Promise<PostRef> {
    if ("postId" in at) return at;
    const found = await findPostKey(db, viewer.id, at.address, at.number);
    if (!found) throw refuse("not-found");
    return { authorId: found.authorId, postId: found.id };
  }

  /** Who likes a post, newest first. */
  async function list(viewer: Viewer | null, post: PostRef, cursor: string | null) {
    const size = limits.accountsPage;
    const range = { below: idBelow(cursor), above: lowestId, upward: false, limit: size };
    return toPage(await likers(viewer, post, range), size);
  }

  /** The same between two ids of the list's own. */
  async function between(viewer: Viewer | null, post: PostRef, range: IdRange) {
    const rows = await likers(viewer, post, range);
    return toRangePage(
      rows.map(({ key: [id], item }) => ({ id: String(id), item })),
      range,
    );
  }

  /** One more than are asked for. */
  async function likers(viewer: Viewer | null, post: PostRef, range: IdRange) {
    checkPostRef(post);
    const page = { ...post, ...range, viewerId: viewer?.id ?? null, limit: range.limit + 1 };
    const rows = await queries.likersOf(db, page);
    if (!rows) throw refuse("not-found");
    return rows;
  }

  /** Of an account that is deleted: the likes that it gave, and those that its posts got. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: rowsAtOnce };
    for (const owner of ["account_id", "author_id"] as const) {
      await inBatches(db, afterBatch, () => removeReactions(db, "likes", owner, batch));
    }
  }

  return { like, unlike, list, between, removeAllOf };
}

export type Likes = ReturnType<typeof createLikes>;
