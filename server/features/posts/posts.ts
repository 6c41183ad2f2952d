import type { Logger } from "pino";
import type { z } from "zod";
import { idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import { inBatches, type AfterBatch } from "#server/features/in-batches.ts";
import { mentionedIn } from "#shared/mentions.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import type { PostAt } from "#server/features/posts/lock.queries.ts";
import * as queries from "#server/features/posts/posts.queries.ts";
import type { KeptDetails } from "#server/features/posts/images/images.ts";
import type { PostDetails } from "#shared/photo-details.ts";
import { createEdits } from "#server/features/posts/edits/edits.ts";
import { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { postChoiceNames, usualChoices } from "#shared/posts.ts";
import { publishInput } from "#shared/posts.inputs.ts";
import { pick } from "#shared/records.ts";
import { isBlank } from "#shared/text.ts";
import type { FeedPost, Page, PostTile, PostView, Viewer } from "#shared/views.ts";

/** What posts need of the images feature. */
type Images = {
  /** Inside a transaction; refuses an image that is not the account's or is in use already. */
  claim: (accountId: string, imageId: string, keep: KeptDetails) => Promise<void>;
  /** After the commit that deleted their rows. */
  removeFiles: (keys: readonly string[]) => Promise<void>;
};

type Deps = {
  db: Database;
  images: Images;
  notifications?: Notifier;
  /** how many of them one member may write */
  writes?: Pick<WriteRates, "count">;
  log: Pick<Logger, "warn">;
  publish: Publish;
  /** hears of a post that is out */
  onPosted?: () => void;
  newId?: NewId;
};

type Input = z.input<typeof publishInput>;
type Published = { id: string; number: number };

const nothing = { items: [], nextCursor: null };
const largestNumber = 2 ** 31 - 1;
/** Posts of one transaction of a deletion: each takes its pictures' rows along. */
const postsAtOnce = 50;

/** Posts of photos and words, numbered per author. */
export function createPosts({
  db,
  images,
  notifications,
  writes,
  log,
  publish: announce,
  onPosted,
  newId = freshId,
}: Deps) {
  const { edit, earlierVersions } = createEdits({
    db,
    refAt,
    claim: images.claim,
    removeFiles,
    notifications,
    writes,
    publish: announce,
  });

  /** Submitted again with the same clientKey, it answers the first post and changes nothing. */
  async function publish(viewer: Viewer, input: Input): Promise<Published> {
    const post = newPostOf(viewer, input);
    const { pictures, caption, clientKey } = post;
    return db.transaction(async () => {
      db.seenAtOnce();
      await queries.lockCounters(db, viewer.id);
      const earlier = clientKey && (await queries.findByClientKey(db, viewer.id, clientKey));
      if (earlier) return earlier;
      const keep = { camera: true, place: post.showPlace };
      for (const { imageId } of pictures) await images.claim(viewer.id, imageId, keep);
      // Made after the lock: an author's ids have the order of their numbers.
      const id = newId();
      announce({ kind: "posted", authorId: viewer.id, postId: id });
      const number = await queries.insertPost(db, { ...post, id });
      if (pictures.length > 0) await renewRecent(db, viewer.id);
      await writes?.count(viewer, "posts");
      await writes?.count(viewer, "mentions", mentionedIn(caption).length);
      await notifications?.notify.posted({ authorId: viewer.id, postId: id }, caption);
      if (onPosted) db.afterCommit(onPosted);
      return { id, number };
    });
  }

  /** The same, and answers it as it is shown. */
  async function publishShown(viewer: Viewer, input: Input): Promise<FeedPost> {
    const { number } = await publish(viewer, input);
    const shown = await get(viewer, viewer.username, number);
    if (!shown) throw new Error("a post that was published is not there");
    return shown;
  }

  /** The post that an earlier submit with this key made, if it is still there. */
  async function findSubmitted(viewer: Viewer, clientKey: string) {
    return (await queries.findByClientKey(db, viewer.id, clientKey)) ?? null;
  }

  async function get(
    viewer: Viewer | null,
    address: string,
    number: number,
  ): Promise<FeedPost | null> {
    if (!isPostNumber(number)) return null;
    return queries.findPost(db, viewer?.id ?? null, address, number);
  }

  /** What its author shows of how and where its photos were taken. Null where there is no such post. */
  async function details(
    viewer: Viewer | null,
    address: string,
    number: number,
  ): Promise<PostDetails | null> {
    if (!isPostNumber(number)) return null;
    return queries.findDetails(db, viewer?.id ?? null, address, number);
  }

  /**
   * The viewer's own post of this number, while it is new; null for anything else. Numbers are counted
   * per author: none can name a post of anybody else.
   */
  async function justPublished(viewer: Viewer, number: number): Promise<FeedPost | null> {
    const post = await get(viewer, viewer.username, number);
    if (!post?.mine || post.imported) return null;
    return Date.now() - post.createdAt < limits.justPostedHours * 3_600_000 ? post : null;
  }

  /** Which post an address and a number name. Refuses with not-found. */
  async function refAt(viewer: Viewer | null, address: string, number: number): Promise<PostRef> {
    const viewerId = viewer?.id ?? null;
    const found = isPostNumber(number)
      ? await queries.findPostKey(db, viewerId, address, number)
      : null;
    if (!found) throw refuse("not-found");
    return { authorId: found.authorId, postId: found.id };
  }

  async function photosOf(
    viewer: Viewer | null,
    accountId: string,
    cursor: string | null,
  ): Promise<Page<PostTile>> {
    const below = idBelow(cursor);
    if (!isId(accountId)) return nothing;
    const page = { authorId: accountId, below, limit: limits.gridPage + 1 };
    return toPage(await queries.tilesOf(db, viewer?.id ?? null, page), limits.gridPage);
  }

  async function textsOf(
    viewer: Viewer | null,
    accountId: string,
    cursor: string | null,
  ): Promise<Page<PostView>> {
    const below = idBelow(cursor);
    if (!isId(accountId)) return nothing;
    const page = { authorId: accountId, below, limit: limits.feedPage + 1 };
    return toPage(await queries.textsOf(db, viewer?.id ?? null, page), limits.feedPage);
  }

  /**
   * With its comments, likes, everybody's bookmarks and, after the commit, its files: also where
   * the transaction is the caller's.
   */
  async function remove(viewer: Viewer, address: string, number: number): Promise<void> {
    if (!isPostNumber(number)) throw refuse("not-found");
    let filesGone: Promise<void> | undefined;
    await db.transaction(async () => {
      db.seenAtOnce();
      const post = await queries.findPostKey(db, viewer.id, address, number);
      if (!post) throw refuse("not-found");
      if (post.authorId !== viewer.id) throw refuse("not-yours");
      const keys = await deleteRows({ authorId: post.authorId, postId: post.id });
      if (!keys) throw refuse("not-found");
      db.afterCommit(() => {
        filesGone = removeFiles(keys);
      });
    });
    await filesGone;
  }

  /** What of a post the database has, in a transaction; the keys of its files, null where it is gone. */
  async function deleteRows({ authorId, postId }: PostRef): Promise<string[] | null> {
    await queries.lockCounters(db, authorId);
    const keys = await queries.deletePost(db, { authorId, id: postId });
    if (!keys) return null;
    if (keys.length > 0) await renewRecent(db, authorId);
    await notifications?.retract.post({ authorId, postId });
    announce({ kind: "gone", authorId, postId });
    return keys;
  }

  /** The same by moderators, in their transaction. It may be gone already. */
  async function takeDown(post: PostRef): Promise<void> {
    const keys = await deleteRows(post);
    if (keys) db.afterCommit(() => void removeFiles(keys));
  }

  /** Never throws: files that stay behind have no row and are the sweep's. */
  async function removeFiles(files: string[]): Promise<void> {
    await images.removeFiles(files).catch((error: unknown) => {
      log.warn({ err: error, files }, "pictures that no post shows any more are still stored");
    });
  }

  /** The posts of an account that is deleted; their pictures are still there afterwards. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: postsAtOnce };
    await inBatches(db, afterBatch, () => queries.deletePostsOf(db, batch));
  }

  return {
    publish,
    publishShown,
    findSubmitted,
    get,
    justPublished,
    details,
    refAt,
    photosOf,
    textsOf,
    edit,
    earlierVersions,
    remove,
    takeDown,
    removeAllOf,
  };
}

export type Posts = ReturnType<typeof createPosts>;

/** What is to be written; refuses what cannot be a post. */
function newPostOf(viewer: Viewer, input: Input): Omit<queries.NewPost, "id"> {
  const {
    caption: typed,
    pictures,
    timeZone,
    clientKey,
    ...chosen
  } = parseInput(publishInput, input);
  const caption = isBlank(typed) ? "" : typed;
  if (caption === "" && pictures.length === 0) throw refuse("post-empty");
  if (!pictures.every(({ imageId }) => isId(imageId))) throw refuse("picture-unknown");
  const choices = { ...usualChoices, ...pick(chosen, postChoiceNames) };
  return { caption, pictures, timeZone, clientKey, ...choices, authorId: viewer.id };
}

/** Refuses a reference that cannot name a post, before the database sees it. */
export function checkPostRef({ authorId, postId }: PostRef): void {
  if (!isId(authorId) || !isId(postId)) throw refuse("not-found");
}

/** The same for a post that is named either way. */
export function checkPostAt(at: PostAt): void {
  if ("postId" in at) checkPostRef(at);
  else if (!isPostNumber(at.number)) throw refuse("not-found");
}

function isPostNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= largestNumber;
}
