import {
  highestId,
  lowestId,
  toRangePage,
  type IdRange,
  type RangePage,
} from "#server/db/cursors.ts";
import { idsAround, readDecimal } from "#server/db/decimal-ids.ts";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { homeAndOwnKeysAbove } from "#server/features/posts/feed/feed.queries.ts";
import { hidesPost, markMuted } from "#server/features/posts/muted-posts.ts";
import { feedPosts, type PostKey } from "#server/features/posts/posts.queries.ts";
import * as queries from "#server/features/posts/references/references.queries.ts";
import type {
  PlacedComment,
  StatusRef,
} from "#server/features/posts/references/references.queries.ts";
import { writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { altTextProblem } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import type { FeedPost, PictureView, PostView, Viewer } from "#shared/views.ts";

/** Comments that one post is shown with at once, to a program that takes them all together. */
const commentsAtOnce = 400;
/** Pages that are read at most to find some posts that no muted word hides. */
const mostUpward = 10;

/** Ends of a list, as decimal ids; null: no such end. `minimum` asks for what comes right after it. */
export type Ends = { below: string | null; above: string | null; minimum: string | null };

export type { PlacedComment, StatusRef };

/** A post, or a comment with the post it stands under. */
export type Shown =
  { kind: "post"; post: FeedPost | PostView } | { kind: "comment"; placed: PlacedComment };

export const shownPost = (post: FeedPost | PostView): Shown => ({ kind: "post", post });
export const shownComment = (placed: PlacedComment): Shown => ({ kind: "comment", placed });

/** The post that it is, or that the comment stands under. */
export const postOf = (one: Shown): PostRef =>
  one.kind === "post"
    ? { authorId: one.post.author.id, postId: one.post.id }
    : { authorId: one.placed.authorId, postId: one.placed.postId };

/**
 * Posts and comments by decimal ids, and lists of them that go both ways: for faces that know both as
 * one kind of thing. The rules of who sees what are those of the other reads.
 */
export function createReferences({ db }: { db: Database }) {
  /** Those of these decimal ids that name posts or comments which the viewer may see, in their order. */
  async function find(viewer: Viewer | null, decimals: readonly string[]): Promise<Shown[]> {
    const refs = await findAll(decimals);
    const wanted = decimals.flatMap((decimal) => refs.get(decimal) ?? []);
    const keys = wanted.filter(({ commentId }) => commentId === null);
    const commentKeys = wanted.flatMap(({ commentId, ...post }) =>
      commentId === null ? [] : [{ ...post, commentId }],
    );
    const [ofPosts, ofComments] = await Promise.all([
      posts(
        viewer,
        keys.map(({ authorId, postId }) => ({ authorId, id: postId })),
      ),
      comments(viewer, commentKeys),
    ]);
    const byId = new Map<string, Shown>([
      ...ofPosts.map((post) => [post.id, shownPost(post)] as const),
      ...ofComments.map((placed) => [placed.comment.id, shownComment(placed)] as const),
    ]);
    return wanted.flatMap(({ postId, commentId }) => byId.get(commentId ?? postId) ?? []);
  }

  /** What stands above one, and what beneath it: the post and the comments of its thread, oldest first. */
  async function around(
    viewer: Viewer | null,
    one: Shown,
  ): Promise<{ above: Shown[]; below: Shown[] }> {
    const under = await queries.commentsUnder(db, viewer?.id ?? null, postOf(one), commentsAtOnce);
    const seen = marked(viewer, under);
    if (one.kind === "post") return { above: [], below: seen.map(shownComment) };
    const { id, rootId } = one.placed.comment;
    const { authorId, postId } = postOf(one);
    const post = await posts(viewer, [{ authorId, id: postId }]);
    const root = seen.filter(({ comment }) => comment.id === rootId);
    const replies = seen.filter(({ comment }) => comment.rootId === id);
    return {
      above: [...post.map(shownPost), ...root.map(shownComment)],
      below: replies.map(shownComment),
    };
  }

  /** Which posts and comments decimal ids name; whether they may be seen is for the next read to say. */
  async function findAll(typed: readonly string[]): Promise<Map<string, StatusRef>> {
    const decimals = typed.filter((text) => readDecimal(text) !== null);
    if (decimals.length === 0) return new Map();
    const rows = await queries.refsOf(db, decimals);
    const found = new Map<string, StatusRef>();
    for (const decimal of decimals) {
      const all = rows.filter((row) => row.decimal === decimal);
      const own = all.filter(({ imported }) => !imported);
      const [one, other] = own.length > 0 ? own : all;
      if (one && !other) {
        const { authorId, postId, commentId } = one;
        found.set(decimal, { authorId, postId, commentId });
      }
    }
    return found;
  }

  /** The posts of these keys that the viewer may see, in their order. */
  const posts = (viewer: Viewer | null, keys: readonly PostKey[]): Promise<FeedPost[]> =>
    feedPosts(db, viewer?.id ?? null, keys);

  /** The same of comments. */
  async function comments(
    viewer: Viewer | null,
    keys: readonly (PostRef & { commentId: string })[],
  ): Promise<PlacedComment[]> {
    return marked(viewer, await queries.commentsAt(db, viewer?.id ?? null, keys));
  }

  /** Ids between which a list lies, for reads that take them: those of the rows where they are there, else of their moments. */
  async function rangeOf({ below, above, minimum }: Ends, limit: number): Promise<IdRange> {
    const wanted = [below, above, minimum].filter((one) => one !== null);
    const found = await findAll(wanted);
    const idOf = (decimal: string, end: "lowest" | "highest") => {
      const ref = found.get(decimal);
      return ref ? (ref.commentId ?? ref.postId) : idsAround(decimal)[end];
    };
    const lower = minimum ?? above;
    return {
      below: below === null ? highestId : idOf(below, "lowest"),
      above: lower === null ? lowestId : idOf(lower, "highest"),
      upward: minimum !== null,
      limit,
    };
  }

  /** Posts of one account, newest first. */
  async function ofAuthor(
    viewer: Viewer | null,
    authorId: string,
    ends: Ends,
    { limit, onlyPhotos }: { limit: number; onlyPhotos: boolean },
  ): Promise<FeedPost[]> {
    if (!isId(authorId)) return [];
    const range = await rangeOf(ends, limit);
    const keys = await queries.keysOfAuthor(db, authorId, range, onlyPhotos);
    return posts(viewer, range.upward ? keys.toReversed() : keys);
  }

  /**
   * What comes right after a post of the viewer's home, their own among them, newest first. What muted words hide
   * leaves no hole: it is read on, within bounds.
   */
  async function homeAbove(viewer: Viewer, ends: Ends, limit: number): Promise<FeedPost[]> {
    const range = await rangeOf(ends, limit);
    const { below } = range;
    const hides = hidesPost(viewer);
    const found: FeedPost[] = [];
    let above: string | undefined = range.above;
    for (
      let pages = 0;
      pages < mostUpward && above !== undefined && found.length < limit;
      pages += 1
    ) {
      const keys: PostKey[] = await homeAndOwnKeysAbove(db, {
        viewerId: viewer.id,
        below,
        above,
        limit,
      });
      const read = await posts(viewer, keys);
      found.push(...(hides ? read.filter((post) => !hides(post)) : read));
      above = keys.length < limit ? undefined : keys.at(-1)?.id;
    }
    return found.slice(0, limit).toReversed();
  }

  /** What the viewer liked, in the order of liking. */
  const liked = (viewer: Viewer, range: IdRange) => held(queries.likedKeys, viewer, range);

  /** What the viewer saved, in the order of saving, photos and words alike. */
  const saved = (viewer: Viewer, range: IdRange) => held(queries.savedKeys, viewer, range);

  async function held(
    read: typeof queries.likedKeys,
    viewer: Viewer,
    range: IdRange,
  ): Promise<RangePage<FeedPost>> {
    const rows = await read(db, viewer.id, { ...range, limit: range.limit + 1 });
    const page = toRangePage(
      rows.map((item) => ({ key: [item.heldId], item })),
      range,
    );
    return { ...page, items: await posts(viewer, page.items) };
  }

  /** Posts of these ids alone, in their order. */
  async function byIds(viewer: Viewer | null, ids: readonly string[]): Promise<FeedPost[]> {
    return posts(viewer, await queries.keysOf(db, ids.filter(isId)));
  }

  /** A picture that the viewer sent and has not used, by how its key begins. */
  async function waiting(
    viewer: Viewer,
    beginning: string,
  ): Promise<{ id: string; picture: PictureView } | null> {
    const [found, other] = await queries.waitingImages(db, viewer.id, beginning);
    if (!found || other) return null;
    const { id, ...picture } = found;
    return { id, picture };
  }

  /** What it shows, and where to look, said before there is a post. Refuses with not-found, input-invalid. */
  async function describe(
    viewer: Viewer,
    imageId: string,
    { alt: typed, focalPoint }: { alt?: string | undefined; focalPoint?: FocalPoint | undefined },
  ): Promise<void> {
    if (typed !== undefined) {
      const alt = cleanText(typed);
      const problem = altTextProblem(alt);
      if (problem)
        throw refuse("input-invalid", { message: problem, fields: { description: problem } });
      const row = { accountId: viewer.id, imageId, alt };
      if (!(await queries.writeDescription(db, row))) throw refuse("not-found");
    }
    if (focalPoint) await writeFocalPoint(db, viewer.id, imageId, focalPoint);
  }

  return {
    find,
    findAll,
    posts,
    comments,
    around,
    ofAuthor,
    homeAbove,
    rangeOf,
    liked,
    saved,
    byIds,
    waiting,
    describe,
  };
}

export type References = ReturnType<typeof createReferences>;

/** Comments with words that the viewer muted are left out: a program has no notice to hide them behind. */
function marked(viewer: Viewer | null, rows: PlacedComment[]): PlacedComment[] {
  const mark = markMuted(viewer);
  return rows.filter(({ comment }) => mark(comment).mutedWord === undefined);
}
