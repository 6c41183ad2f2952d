import type { Database } from "#server/platform/db/database.ts";
import type { Bookmarks, Likes } from "#server/features/posts/index.ts";
import { ownAddresses } from "#server/features/people/index.ts";
import type { Documents } from "#server/compat/documents/documents.ts";
import * as queries from "#server/compat/documents/post-lookups.queries.ts";
import { foldAddress, namesCaller, readIntent, readLike } from "#server/compat/documents/intent.ts";
import {
  asNamed,
  changed,
  unchanged,
  type ReadChange,
  type ChangeQueue,
} from "#server/compat/documents/change-queue.ts";
import type { BookmarksInput, LikesInput } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  db: Database;
  documents: Documents;
  queue: ChangeQueue;
  likes: Pick<Likes, "like" | "unlike">;
  bookmarks: Pick<Bookmarks, "save" | "unsave">;
};

/** Changes of a caller's likes and bookmarks. */
export function createReactionChanges({ db, documents, queue, likes, bookmarks }: Deps) {
  const { enqueue, enqueueOwn } = queue;

  /**
   * Likes or unlikes one of an author's posts. Refuses with not-yours a list with a post that this
   * other author never had: nobody adds posts for somebody else.
   */
  const like: ReadChange<LikesInput> = (viewer, address, sent, precondition = null) =>
    enqueue(viewer, { address }, precondition, async (authorId) => {
      const own = await ownAddresses(db, viewer.id);
      const named = sent.posts.map(asNamed);
      const known = await queries.postsOfAuthor(db, { viewerId: viewer.id, authorId, named });
      if (authorId !== viewer.id && (await addsPost(authorId, named, known))) {
        throw refuse("not-yours");
      }
      const change = readLike(
        known.flatMap(({ position, postId }) => {
          const likers = sent.posts[position]?.likeAccounts;
          // A post sent back without the list says nothing about it.
          return likers ? [[postId, namesCaller(likers, own)] as const] : [];
        }),
        new Map(known.map(({ postId, liked }) => [postId, liked])),
      );
      if (!change) return unchanged;
      const ref = { authorId, postId: change.key };
      await (change.liked ? likes.like(viewer, ref) : likes.unlike(viewer, ref));
      return changed;
    });

  /** Whether one of these was never the author's; what the caller may not see any more may still be in a copy. */
  async function addsPost(
    authorId: string,
    named: readonly queries.NamedPost[],
    known: readonly queries.FoundPost[],
  ): Promise<boolean> {
    const here = new Set(known.map(({ position }) => position));
    const unknown = named.filter((_, position) => !here.has(position));
    const gone = await queries.postsKnown(db, { authorId, named: unknown });
    return unknown.some((_, position) => !gone.has(position));
  }

  /** Adds or removes one bookmark. */
  const bookmark: ReadChange<BookmarksInput> = (viewer, address, sent, precondition = null) =>
    enqueueOwn(viewer, address, precondition, async () => {
      const named = sent.bookMarks.map(({ author, postId, time }) => ({
        address: foldAddress(author),
        number: postId,
        time: time ?? null,
        clientKey: time === undefined ? null : asNamed({ postId, time }).clientKey,
      }));
      const known = await queries.postsNamed(db, { viewerId: viewer.id, named });
      const refs = new Map(known.map((post) => [bookmarkKey(post.author, post.number), post]));
      const document = await documents.ofAccount(viewer, viewer.id);
      const sentNow = document?.bookMarks.map(({ author, postId }) => bookmarkKey(author, postId));
      const intent = readIntent({
        given: new Set(refs.keys()),
        held: new Set([...refs].filter(([, { saved }]) => saved).map(([key]) => key)),
        sent: sentNow ?? [],
        exact: precondition !== null,
      });
      if (!intent) return unchanged;
      if ("add" in intent) {
        const { authorId, postId } = refs.get(intent.add) ?? missing();
        await bookmarks.save(viewer, { authorId, postId });
        return changed;
      }
      const entry = document?.bookMarks[sentNow?.indexOf(intent.remove) ?? -1] ?? missing();
      const [post = missing()] = await queries.postsNamed(db, {
        viewerId: viewer.id,
        named: [
          { address: foldAddress(entry.author), number: entry.postId, time: null, clientKey: null },
        ],
      });
      await bookmarks.unsave(viewer, { authorId: post.authorId, postId: post.postId });
      return changed;
    });

  return { like, bookmark };
}

function bookmarkKey(author: string, number: number): string {
  return `${author}/${number}`;
}

function missing(): never {
  throw new Error("an entry that was just read was not found");
}
