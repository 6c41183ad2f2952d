import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { postItem } from "#server/features/posts/index.ts";
import { maySee, mayMeet, pair, type Comment, type Post } from "#server/test/audiences/oracle.ts";
import {
  ids,
  listed,
  newest,
  ofEach,
  oldest,
  orNothing,
  seenOf,
  unbounded,
  type Look,
  type Surface,
  type Surfaces,
} from "#server/test/audiences/surface.ts";
import { memberAt, refOf } from "#server/test/audiences/world.ts";

const ever = { from: lowestId, to: highestId };

/** Of each post that is asked for, its id where it may be seen. */
const each = (shown: (look: Look, post: Post) => Promise<boolean>): Surface => ({
  shows: (look) => ofEach(look.posts, async (post) => ((await shown(look, post)) ? [post.id] : [])),
  expected: (look) => ids(seenOf(look, look.posts)),
});

export const addressOf = ({ world }: Look, { author, number }: Post): [string, number] => [
  memberAt(world, author).username,
  number,
];

const thePosts: Surfaces = {
  "a post": each(async (look, post) =>
    Boolean(await look.on.posts.get(look.viewer, ...addressOf(look, post))),
  ),
  "a post, to act on it": each(async (look, post) =>
    Boolean(await orNothing(look.on.posts.refAt(look.viewer, ...addressOf(look, post)))),
  ),
  "its permanent address": each(async (look, post) =>
    Boolean(await look.on.references.pathOf(look.viewer, post.id)),
  ),
  "how its photos were taken": each(async (look, post) =>
    Boolean(await look.on.posts.details(look.viewer, ...addressOf(look, post))),
  ),
  "descriptions suggested for its photo": {
    membersOnly: true,
    // asked for where the author was found
    shows: ({ on, world, viewer, state, who, posts }) =>
      ofEach(posts, async (post) => {
        if (!mayMeet(state, who, post.author)) return [];
        const suggested = await on.altSuggestions.ofPost(viewer, refOf(world, post));
        return suggested.map(({ by }) => `${post.id} by ${by.id}`);
      }),
    expected: (look) =>
      seenOf(look, look.posts).flatMap((post) =>
        [...post.describers]
          .filter((by) => look.who === by || look.who === post.author)
          .filter((by) => mayMeet(look.state, look.who, by))
          .filter((by) => !look.state.mutes.has(pair(look.who, by)))
          .map((by) => `${post.id} by ${memberAt(look.world, by).id}`),
      ),
  },
  "posts by reference": {
    shows: async ({ on, world, viewer, posts }) =>
      ids(
        await on.references.posts(
          viewer,
          posts.map((post) => refOf(world, post)),
        ),
      ),
    expected: (look) => ids(seenOf(look, look.posts)),
  },
  "posts by their ids": {
    shows: async ({ on, viewer, posts }) => ids(await on.references.byIds(viewer, ids(posts))),
    expected: (look) => ids(seenOf(look, look.posts)),
  },
  "posts and comments by number": {
    shows: async ({ on, viewer, posts }) => {
      const all = posts.flatMap(({ id, comments }) => [id, ...ids(comments)]);
      const found = await on.references.find(viewer, all.map(decimalOf));
      return found.map((one) => (one.kind === "post" ? one.post.id : one.placed.comment.id));
    },
    expected: (look) =>
      seenOf(look, look.posts).flatMap((post) => [post.id, ...ids(commentsSeen(look, post))]),
  },
};

/** The comments under a post that the viewer may see, those of hidden threads included where `loose`. */
function commentsSeen({ state, who }: Look, post: Post): Comment[] {
  if (!maySee(state, who, post)) return [];
  const shown = ({ writer }: Comment) =>
    mayMeet(state, who, writer) && mayMeet(state, post.author, writer);
  return post.comments.filter((comment) => {
    const root = post.comments.find(({ id }) => id === comment.rootId);
    return shown(comment) && (!root || shown(root));
  });
}

/** What is shown of the comments under each post; `null` is not the same as none. */
const under = (
  read: (look: Look, post: Post) => Promise<readonly string[] | null>,
  which: (comment: Comment) => boolean = () => true,
): Surface => ({
  shows: (look) =>
    ofEach(look.posts, async (post) => {
      const shown = await read(look, post);
      return shown ? [`of ${post.id}`, ...shown] : [];
    }),
  expected: (look) =>
    seenOf(look, look.posts).flatMap((post) => [
      `of ${post.id}`,
      ...ids(commentsSeen(look, post).filter(which)),
    ]),
});
const isRoot = ({ rootId }: Comment) => rootId === null;

const theComments: Surfaces = {
  comments: under(async ({ on, world, viewer }, post) => {
    const page = await orNothing(on.comments.list(viewer, refOf(world, post), null));
    return page?.items.flatMap((thread) => [thread.id, ...ids(thread.replies.items)]) ?? null;
  }),
  "comments that came": under(async ({ on, world, viewer }, post) => {
    const first = post.id;
    const page = await orNothing(on.comments.after(viewer, refOf(world, post), first));
    return page && idsIn(page);
  }),
  "comments that stand": under(
    async ({ on, world, viewer }, post) =>
      (await orNothing(on.comments.standing(viewer, refOf(world, post), ever)))?.ids ?? null,
    isRoot,
  ),
  "comments one by one": {
    shows: ({ on, world, viewer, posts }) =>
      ofEach(posts, (post) =>
        ofEach(post.comments, async ({ id }) => {
          const found = await orNothing(on.comments.get(viewer, refOf(world, post), id));
          return found ? [found.id] : [];
        }),
      ),
    expected: (look) => look.posts.flatMap((post) => ids(commentsSeen(look, post))),
  },
  "answers to comments": {
    shows: ({ on, world, viewer, posts }) =>
      ofEach(posts, (post) =>
        ofEach(post.comments.filter(isRoot), async ({ id }) => {
          const page = await orNothing(on.comments.replies(viewer, refOf(world, post), id, null));
          return ids(page?.items ?? []);
        }),
      ),
    expected: (look) =>
      look.posts.flatMap((post) =>
        ids(commentsSeen(look, post).filter((comment) => !isRoot(comment))),
      ),
  },
  "comments from one on": {
    shows: ({ on, world, viewer, posts }) =>
      ofEach(posts, async (post) => {
        const [first] = post.comments;
        if (!first) return [];
        const page = await orNothing(on.comments.listFrom(viewer, refOf(world, post), first.id));
        return page ? [`of ${post.id}`] : [];
      }),
    expected: (look) =>
      seenOf(look, look.posts)
        .filter(({ comments }) => comments.length > 0)
        .map(({ id }) => `of ${id}`),
  },
  "comments by reference": {
    shows: async ({ on, world, viewer, posts }) => {
      const keys = posts.flatMap((post) =>
        post.comments.map(({ id }) => ({ ...refOf(world, post), commentId: id })),
      );
      return (await on.references.comments(viewer, keys)).map(({ comment }) => comment.id);
    },
    expected: (look) => look.posts.flatMap((post) => ids(commentsSeen(look, post))),
  },
  "posts and comments of profiles in apps": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) => {
        const { items } = await on.references.writtenBy(viewer, id, unbounded, 300);
        return items.map((one) => (one.kind === "post" ? one.post.id : one.placed.comment.id));
      }),
    expected: (look) => [
      ...ids(seenOf(look, listed(look.state.posts))),
      ...look.state.posts.flatMap((post) => ids(commentsSeen(look, post))),
    ],
  },
  "what is around a post": {
    shows: ({ on, world, viewer, posts }) =>
      ofEach(posts, async (post) => {
        const author = memberAt(world, post.author);
        const [item] = await on.references.posts(author, [refOf(world, post)]);
        if (!item) return [];
        const { below } = await on.references.around(viewer, postItem(item));
        return below.map((one) => (one.kind === "post" ? one.post.id : one.placed.comment.id));
      }),
    expected: (look) =>
      look.posts
        // as its author reads it, so that there is something to ask about
        .filter((post) => maySee(look.state, post.author, post) && isHere(look, post.author))
        .flatMap((post) => ids(commentsSeen(look, post))),
  },
};

const isHere = ({ state }: Look, who: number) =>
  !state.suspended.has(who) && !state.deleted.has(who);

function idsIn(page: {
  items: readonly { id: string; replies?: { items: readonly { id: string }[] } }[];
}) {
  return page.items.flatMap(({ id, replies }) => [id, ...ids(replies?.items ?? [])]);
}

const likers = (look: Look, post: Post) =>
  [...post.likes]
    .filter((who) => mayMeet(look.state, look.who, who) && mayMeet(look.state, post.author, who))
    .map((who) => memberAt(look.world, who).id);

const likesIn = (
  read: (look: Look, post: Post) => Promise<readonly { id: string }[] | null>,
): Surface => ({
  shows: (look) =>
    ofEach(look.posts, async (post) => {
      const found = await read(look, post);
      return found ? [`of ${post.id}`, ...found.map(({ id }) => `${post.id} ${id}`)] : [];
    }),
  expected: (look) =>
    seenOf(look, look.posts).flatMap((post) => [
      `of ${post.id}`,
      ...likers(look, post).map((id) => `${post.id} ${id}`),
    ]),
});

const theLikes: Surfaces = {
  likes: likesIn(
    async ({ on, world, viewer }, post) =>
      (await orNothing(on.likes.list(viewer, refOf(world, post), null)))?.items ?? null,
  ),
  "likes, from either end": likesIn(async ({ on, world, viewer }, post) => {
    const ref = refOf(world, post);
    const down = await orNothing(on.likes.between(viewer, ref, newest));
    const up = await orNothing(on.likes.between(viewer, ref, oldest));
    return up && down ? down.items : null;
  }),
};

export const postSurfaces: Surfaces = { ...thePosts, ...theComments, ...theLikes };
