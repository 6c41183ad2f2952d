import type { Database } from "#server/db/database.ts";
import { isId, timeOf } from "#server/db/ids.ts";
import type { Bookmarks } from "#server/features/bookmarks/bookmarks.ts";
import { findVisibleById } from "#server/features/accounts/accounts.queries.ts";
import {
  accountsAt,
  addressesOf,
  ownAddresses,
} from "#server/features/documents/addresses.queries.ts";
import { accountRows, findAt } from "#server/features/documents/documents.queries.ts";
import { tagOf, type Documents } from "#server/features/documents/documents.ts";
import * as held from "#server/features/documents/held.queries.ts";
import {
  foldAddress,
  namesCaller,
  postKey,
  readIntent,
  readLike,
} from "#server/features/documents/intent.ts";
import { postedZone } from "#server/features/documents/posted-zone.ts";
import type { Follows } from "#server/features/follows/follows.ts";
import type { Likes } from "#server/features/likes/likes.ts";
import type { Posts } from "#server/features/posts/posts.ts";
import type { Profiles } from "#server/features/profiles/profiles.ts";
import type {
  BookmarksInput,
  Change,
  EditUserInput,
  FollowInput,
  LikesInput,
  SentPost,
  UploadInput,
} from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
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
  pictureAt: (viewer: Viewer, address: string) => Promise<string>;
};

/** The copy that a client changed, where it says so: `isCurrent` takes the document's tag as it is now. */
export type Copy = { isCurrent: (tag: string) => boolean } | null;

const unchanged: Change = { matchedCount: 1, modifiedCount: 0 };
const changed: Change = { matchedCount: 1, modifiedCount: 1 };

/**
 * What callers of the documented calls want changed. They send whole lists; read is only what is
 * the caller's own in them, as one change of what is there now (intent.ts). All refuse with
 * not-found, with not-yours where another's account is to be changed, with conflict where the list
 * is more than one change, with precondition-failed where the copy is not current; then nothing
 * has changed.
 */
export function createChanges(deps: Deps) {
  const { db, documents, follows, posts, likes, bookmarks, profiles, pictureAt } = deps;

  /** One caller's changes go one after another, each in one transaction. */
  async function inTurn<Result>(
    viewer: Viewer,
    account: { address: string } | { id: string },
    copy: Copy,
    work: (accountId: string) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction(async () => {
      await held.lockCaller(db, viewer.id);
      const id = "id" in account ? account.id : await findAt(db, viewer.id, account.address);
      if (!id) throw refuse("not-found");
      if (copy) {
        const document = await documents.ofAccount(viewer, id);
        if (!document) throw refuse("not-found");
        if (!copy.isCurrent(tagOf(document))) throw refuse("precondition-failed");
      }
      return work(id);
    });
  }

  /** The same for what only the account itself may change. */
  async function inOwnTurn<Result>(
    viewer: Viewer,
    address: string,
    copy: Copy,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return inTurn(viewer, { address }, copy, async (id) => {
      if (id !== viewer.id) throw refuse("not-yours");
      return work();
    });
  }

  /**
   * Follows or unfollows. Clients make two calls of it, one on the other's followers and one on
   * their own following: whichever comes first does it all, the other finds it done.
   */
  async function follow(
    viewer: Viewer,
    address: string,
    sent: FollowInput,
    copy: Copy = null,
  ): Promise<Change> {
    return inTurn(viewer, { address }, copy, async (id) => {
      const own = await ownAddresses(db, viewer.id);
      if (id === viewer.id) return readOwnFollowing(viewer, sent, own, copy !== null);
      if (sent.followingAccounts || !sent.followerAccounts) throw refuse("not-yours");
      const [now] = await accountsAt(db, viewer.id, [foldAddress(address)]);
      const wanted = namesCaller(sent.followerAccounts, own);
      return wanted === now?.followed ? unchanged : setFollow(viewer, id, wanted);
    });
  }

  async function readOwnFollowing(
    viewer: Viewer,
    { followerAccounts = [], followingAccounts }: FollowInput,
    own: ReadonlySet<string>,
    exact: boolean,
  ): Promise<Change> {
    if (namesCaller([...followerAccounts, ...(followingAccounts ?? [])], own)) {
      throw refuse("self-follow");
    }
    // Who follows the caller is for them to say.
    if (!followingAccounts) return unchanged;
    const named = await accountsAt(db, viewer.id, followingAccounts.map(foldAddress));
    const intent = readIntent({
      given: new Set(named.map(({ id }) => id)),
      held: new Set(named.filter(({ followed }) => followed).map(({ id }) => id)),
      sent: await followingSent(viewer),
      exact,
    });
    if (!intent) return unchanged;
    return "add" in intent
      ? setFollow(viewer, intent.add, true)
      : setFollow(viewer, intent.remove, false);
  }

  /** The ids behind followingAccounts in the caller's document, newest last. */
  async function followingSent(viewer: Viewer): Promise<string[]> {
    const { entries } = limits.documents;
    const [row] = await accountRows(db, { viewerId: viewer.id, ids: [viewer.id], entries });
    const ids = row?.followingIds ?? [];
    const seen = await addressesOf(db, viewer.id, ids);
    return ids.filter((id) => seen.has(id)).reverse();
  }

  async function setFollow(viewer: Viewer, id: string, wanted: boolean): Promise<Change> {
    await (wanted ? follows.follow(viewer, id) : follows.unfollow(viewer, id));
    return changed;
  }

  /** Adds the one post that is new in the list, whatever is missing, or deletes the one missing. */
  async function upload(
    viewer: Viewer,
    address: string,
    sent: UploadInput,
    copy: Copy = null,
  ): Promise<Change> {
    return inOwnTurn(viewer, address, copy, async () => {
      const entries = [...new Map(sent.posts.map((post) => [postKey(post), post])).values()];
      const known = await held.postsHeld(db, {
        viewerId: viewer.id,
        authorId: viewer.id,
        named: entries.map(asNamed),
      });
      const here = new Set(known.map(({ position }) => position));
      const unknown = entries.filter((_, position) => !here.has(position));
      const gone = await held.postsDeleted(db, {
        authorId: viewer.id,
        named: unknown.map(asNamed),
      });
      const [added, ...others] = unknown.filter((_, position) => !gone.has(position));
      if (others.length > 0) throw refuse("conflict");
      if (added) return publish(viewer, added);
      const document = await documents.ofAccount(viewer, viewer.id);
      const numbers = new Set(known.map(({ number }) => number));
      const intent = readIntent({
        given: numbers,
        held: numbers,
        sent: document?.posts.map(({ postId }) => postId) ?? [],
        exact: copy !== null,
      });
      if (!intent || !("remove" in intent)) return unchanged;
      await posts.remove(viewer, viewer.username, intent.remove);
      return changed;
    });
  }

  async function publish(viewer: Viewer, post: SentPost): Promise<Change> {
    const own = await ownAddresses(db, viewer.id);
    if (post.author && !namesCaller([post.author], own)) throw refuse("not-yours");
    const imageId = post.uploadImg ? await pictureAt(viewer, post.uploadImg) : null;
    const { id, number } = await posts.publish(viewer, {
      caption: post.caption ?? "",
      pictures: imageId ? [{ imageId, alt: "" }] : [],
      timeZone: postedZone(post) ?? "UTC",
      clientKey: asNamed(post).clientKey,
    });
    return { ...changed, postId: number, time: timeOf(id) };
  }

  /** Likes or unlikes one of an author's posts. */
  async function like(
    viewer: Viewer,
    address: string,
    sent: LikesInput,
    copy: Copy = null,
  ): Promise<Change> {
    return inTurn(viewer, { address }, copy, async (authorId) => {
      const own = await ownAddresses(db, viewer.id);
      // A post that came back without the list says nothing about it.
      const said = sent.posts.filter(({ likeAccounts }) => likeAccounts);
      const named = said.map(asNamed);
      const known = await held.postsHeld(db, { viewerId: viewer.id, authorId, named });
      const change = readLike(
        known.map(({ position, postId }) => {
          return [postId, namesCaller(said[position]?.likeAccounts ?? [], own)] as const;
        }),
        new Map(known.map(({ postId, liked }) => [postId, liked])),
      );
      if (!change) return unchanged;
      const ref = { authorId, postId: change.key };
      await (change.liked ? likes.like(viewer, ref) : likes.unlike(viewer, ref));
      return changed;
    });
  }

  /** Saves one post, or lets go of one. */
  async function bookmark(
    viewer: Viewer,
    address: string,
    sent: BookmarksInput,
    copy: Copy = null,
  ): Promise<Change> {
    return inOwnTurn(viewer, address, copy, async () => {
      const named = sent.bookMarks.map(({ author, postId, time }) => ({
        address: foldAddress(author),
        number: postId,
        time: time ?? null,
        clientKey: time === undefined ? null : asNamed({ postId, time }).clientKey,
      }));
      const known = await held.postsNamed(db, { viewerId: viewer.id, named });
      const refs = new Map(known.map((post) => [savedKey(post.author, post.number), post]));
      const document = await documents.ofAccount(viewer, viewer.id);
      const sentNow = document?.bookMarks.map(({ author, postId }) => savedKey(author, postId));
      const intent = readIntent({
        given: new Set(refs.keys()),
        held: new Set([...refs].filter(([, { saved }]) => saved).map(([key]) => key)),
        sent: sentNow ?? [],
        exact: copy !== null,
      });
      if (!intent) return unchanged;
      if ("add" in intent) {
        const { authorId, postId } = refs.get(intent.add) ?? missing();
        await bookmarks.save(viewer, { authorId, postId });
        return changed;
      }
      const entry = document?.bookMarks[sentNow?.indexOf(intent.remove) ?? -1] ?? missing();
      const [post = missing()] = await held.postsNamed(db, {
        viewerId: viewer.id,
        named: [
          { address: foldAddress(entry.author), number: entry.postId, time: null, clientKey: null },
        ],
      });
      await bookmarks.unsave(viewer, { authorId: post.authorId, postId: post.postId });
      return changed;
    });
  }

  /**
   * For clients that clean up after a post that they deleted: its bookmarks went with it. Nothing
   * is taken from anybody as long as the post is there.
   */
  async function dropBookmarks(viewer: Viewer, address: string, number: number): Promise<Change> {
    return inOwnTurn(viewer, address, null, async () => {
      if (number > (await held.lastNumberOf(db, viewer.id))) throw refuse("not-found");
      return unchanged;
    });
  }

  /** Names, bio and picture. `matchedCount` is 0 when the account is gone meanwhile. */
  async function edit(
    viewer: Viewer,
    id: string,
    sent: EditUserInput,
    copy: Copy = null,
  ): Promise<{ matchedCount: number; modifiedCount: number }> {
    const account = isId(id) ? await findVisibleById(db, viewer.id, id) : null;
    if (!account) throw refuse("not-found");
    return inTurn(viewer, account, copy, async (accountId) => {
      if (accountId !== viewer.id) throw refuse("not-yours");
      const imageId = sent.image ? await pictureAt(viewer, sent.image) : null;
      const { matchedCount } = await profiles.edit(viewer, {
        firstName: sent.fName,
        secondName: sent.sName,
        ...(typeof sent.bio === "string" && { bio: sent.bio }),
        ...(imageId && { imageId }),
      });
      return { matchedCount, modifiedCount: matchedCount };
    });
  }

  return { follow, upload, like, bookmark, dropBookmarks, edit };
}

export type Changes = ReturnType<typeof createChanges>;

/** The key under which a client's post is known again when it comes back as the client wrote it. */
function asNamed(post: { postId: number; time: number }): held.NamedPost {
  return { number: post.postId, time: post.time, clientKey: `document:${postKey(post)}` };
}

function savedKey(author: string, number: number): string {
  return `${author}/${number}`;
}

function missing(): never {
  throw new Error("an entry that was just read is not there");
}
