import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { isId } from "#server/platform/db/ids.ts";
import {
  feedPosts,
  postsForAnyAudience,
  type PostKey,
} from "#server/features/posts/posts.queries.ts";
import { createLists, findRefs, type ListBounds } from "#server/features/posts/references/lists.ts";
import * as queries from "#server/features/posts/references/references.queries.ts";
import { withoutMuted, writtenBy } from "#server/features/posts/references/written-by.ts";
import { createUnclaimedImages } from "#server/features/posts/references/unclaimed-images.ts";
import {
  commentItem,
  postItem,
  postOf,
  type PostOrComment,
} from "#server/features/posts/references/post-or-comment.ts";
import type { PlacedComment } from "#server/features/posts/references/references.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

/** The most comments shown with one post, for a program that gets them all together. */
const commentsAtOnce = 400;

type CommentKey = PostRef & { commentId: string };

/**
 * Posts and comments by decimal ids, and lists of them in both directions: for APIs that treat both as one
 * kind of thing. Who sees what is decided by the rules of the other reads.
 */
export function createReferences({ db }: { db: Database }) {
  return {
    ...bind(db, { find, posts, comments, pathOf, around }),
    writtenBy: (viewer: Viewer | null, accountId: string, ends: ListBounds, limit: number) =>
      writtenBy(db, viewer, accountId, { ends, limit }),
    findAll: (typed: readonly string[]) => findRefs(db, typed),
    /** For streams, which check who gets each: nobody's right is asked here. */
    forAnyAudience: (keys: readonly PostKey[]) => postsForAnyAudience(db, keys),
    ...createLists(db),
    ...createUnclaimedImages(db),
  };
}

export type References = ReturnType<typeof createReferences>;

/** Those of these decimal ids that name posts or comments which the viewer may see, in their order. */
async function find(
  db: Database,
  viewer: Viewer | null,
  decimals: readonly string[],
): Promise<PostOrComment[]> {
  const refs = await findRefs(db, decimals);
  const wanted = decimals.flatMap((decimal) => refs.get(decimal) ?? []);
  const keys = wanted.filter(({ commentId }) => commentId === null);
  const commentKeys = wanted.flatMap(({ commentId, ...post }) =>
    commentId === null ? [] : [{ ...post, commentId }],
  );
  const [ofPosts, ofComments] = await Promise.all([
    posts(
      db,
      viewer,
      keys.map(({ authorId, postId }) => ({ authorId, id: postId })),
    ),
    comments(db, viewer, commentKeys),
  ]);
  const byId = new Map<string, PostOrComment>([
    ...ofPosts.map((post) => [post.id, postItem(post)] as const),
    ...ofComments.map((placed) => [placed.comment.id, commentItem(placed)] as const),
  ]);
  return wanted.flatMap(({ postId, commentId }) => byId.get(commentId ?? postId) ?? []);
}

/**
 * Where the post or the comment with this id is, for who may see it; otherwise null. Words that the viewer muted
 * hide nothing that is asked for by its id.
 */
async function pathOf(db: Database, viewer: Viewer | null, id: string): Promise<string | null> {
  const wanted = id.toLowerCase();
  if (!isId(wanted)) return null;
  const [one] = await find(db, viewer && { ...viewer, mutedWords: [] }, [decimalOf(wanted)]);
  if (one?.kind === "post" && one.post.id === wanted) {
    return `/post/${one.post.author.username}/${one.post.number}`;
  }
  if (one?.kind !== "comment" || one.placed.comment.id !== wanted) return null;
  const { authorUsername, number } = one.placed;
  return `/post/${authorUsername}/${number}?comment=${wanted}#comment-${wanted}`;
}

/** The posts of these keys that the viewer may see, in their order. */
const posts = (
  db: Database,
  viewer: Viewer | null,
  keys: readonly PostKey[],
): Promise<FeedPost[]> => feedPosts(db, viewer?.id ?? null, keys);

/** The same for comments. */
async function comments(
  db: Database,
  viewer: Viewer | null,
  keys: readonly CommentKey[],
): Promise<PlacedComment[]> {
  return withoutMuted(viewer, await queries.commentsAt(db, viewer?.id ?? null, keys));
}

/** What is above one, and what is beneath it: the post and the comments of its thread, oldest first. */
async function around(
  db: Database,
  viewer: Viewer | null,
  one: PostOrComment,
): Promise<{ above: PostOrComment[]; below: PostOrComment[] }> {
  const under = await queries.commentsUnder(db, viewer?.id ?? null, postOf(one), commentsAtOnce);
  const seen = withoutMuted(viewer, under);
  if (one.kind === "post") return { above: [], below: seen.map(commentItem) };
  const { id, rootId } = one.placed.comment;
  const { authorId, postId } = postOf(one);
  const post = await posts(db, viewer, [{ authorId, id: postId }]);
  const root = seen.filter(({ comment }) => comment.id === rootId);
  const replies = seen.filter(({ comment }) => comment.rootId === id);
  return {
    above: [...post.map(postItem), ...root.map(commentItem)],
    below: replies.map(commentItem),
  };
}
