import type { z } from "zod";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { insertBookmark } from "#server/features/posts/bookmarks/bookmarks.queries.ts";
import * as queries from "#server/features/posts/collections/collections.queries.ts";
import { lockCounters } from "#server/features/posts/post-writes.queries.ts";
import { checkPostAt } from "#server/features/posts/posts.ts";
import type { PostRef } from "#server/features/types.ts";
import {
  collectionChangeInput,
  collectionEditInput,
  collectionsOfPostInput,
  newCollectionInput,
} from "#shared/collections.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { Collection, Page, PostView, Viewer } from "#shared/views.ts";

type Deps = { db: Database; newId?: NewId };

/** The viewer's own collection of this id; what cannot be an id is none. */
const own = (viewer: Viewer, id: string): queries.CollectionRef => {
  if (!isId(id)) throw refuse("not-found");
  return { accountId: viewer.id, collectionId: id.toLowerCase() };
};

/** A member's collections of their bookmarks; nobody else ever sees them. */
export function createCollections({ db, newId = freshId }: Deps) {
  /** Newest first. */
  const list = (viewer: Viewer): Promise<Collection[]> => queries.collectionsOf(db, viewer.id);

  /** Refuses with not-found. */
  const get = async (viewer: Viewer, id: string): Promise<Collection> =>
    found(await queries.findCollection(db, own(viewer, id)));

  /** As far as they may be seen, latest added first; of one that is gone, none. */
  async function posts(viewer: Viewer, id: string, cursor: string | null): Promise<Page<PostView>> {
    const page = { below: idBelow(cursor), limit: limits.gridPage + 1 };
    return toPage(await queries.postsIn(db, own(viewer, id), page), limits.gridPage);
  }

  /** The ids of those that a post is in. */
  const withPost = (viewer: Viewer, post: PostRef): Promise<string[]> =>
    queries.collectionsWith(db, viewer.id, post);

  /** Which of these posts are in one, by their ids. */
  const among = (viewer: Viewer, id: string, some: readonly PostRef[]): Promise<string[]> =>
    queries.among(db, own(viewer, id), some);

  /** Joins the caller's transaction. Sent again with the same clientKey, it is the one that there is. */
  async function make(
    viewer: Viewer,
    { title, clientKey }: { title: string; clientKey: string | null },
  ): Promise<string> {
    const earlier = clientKey && (await queries.findByClientKey(db, viewer.id, clientKey));
    if (earlier) return earlier.id;
    const made = { accountId: viewer.id, collectionId: newId(), title, clientKey };
    if (!(await queries.insertCollection(db, made))) throw refuse("collections-full");
    return made.collectionId;
  }

  async function create(
    viewer: Viewer,
    input: z.input<typeof newCollectionInput>,
  ): Promise<Collection> {
    const given = parseInput(newCollectionInput, input);
    return db.transaction(async () => {
      await lockCounters(db, viewer.id);
      return get(viewer, await make(viewer, given));
    });
  }

  async function edit(
    viewer: Viewer,
    id: string,
    input: z.input<typeof collectionEditInput>,
  ): Promise<Collection> {
    const { title } = parseInput(collectionEditInput, input);
    if (!(await queries.writeTitle(db, own(viewer, id), title))) throw refuse("not-found");
    return get(viewer, id);
  }

  async function remove(viewer: Viewer, id: string): Promise<void> {
    if (!(await queries.deleteCollection(db, own(viewer, id)))) throw refuse("not-found");
  }

  /** Saves a post, and puts it into these collections, and a new one with `title`, and out of all others. */
  async function setOfPost(
    viewer: Viewer,
    post: PostRef,
    input: z.input<typeof collectionsOfPostInput>,
  ): Promise<string[]> {
    checkPostAt(post);
    const { collections, title, clientKey = null } = parseInput(collectionsOfPostInput, input);
    const ids = collections.filter(isId).map((id) => id.toLowerCase());
    return db.transaction(async () => {
      // One change at a time: of one's own collections nobody else waits.
      await lockCounters(db, viewer.id);
      const bookmark = { at: post, accountId: viewer.id, id: newId() };
      if (!(await insertBookmark(db, bookmark))) throw refuse("not-found");
      if (title !== undefined) ids.push(await make(viewer, { title, clientKey }));
      const before = await withPost(viewer, post);
      const added = ids.filter((id) => !before.includes(id));
      await checkRoom(viewer, added, 1);
      await queries.insertItems(db, viewer.id, post, { ids: added, itemId: newId() });
      const left = before.filter((id) => !ids.includes(id));
      await queries.deleteItems(db, viewer.id, post, left);
      return withPost(viewer, post);
    });
  }

  /** Puts saved posts into a collection, and takes others out. */
  async function change(viewer: Viewer, id: string, input: z.input<typeof collectionChangeInput>) {
    const { put, takeOut } = parseInput(collectionChangeInput, input);
    const at = own(viewer, id);
    await db.transaction(async () => {
      await lockCounters(db, viewer.id);
      await get(viewer, id);
      await queries.deleteFrom(db, at, takeOut);
      const there = await among(viewer, id, put);
      const added = put.filter(({ postId }) => !there.includes(postId));
      if (added.length === 0) return;
      await checkRoom(viewer, [at.collectionId], added.length);
      const oldestFirst = added.toReversed().map((post) => ({ ...post, itemId: newId() }));
      await queries.insertSaved(db, at, oldestFirst);
    });
  }

  async function checkRoom(viewer: Viewer, ids: readonly string[], more: number): Promise<void> {
    const wanted = { accountId: viewer.id, ids, more };
    if (await queries.isOneFull(db, wanted)) throw refuse("collection-full");
  }

  return { list, get, posts, withPost, among, create, edit, remove, setOfPost, change };
}
