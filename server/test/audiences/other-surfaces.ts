import { lists } from "#server/features/archive/lists.queries.ts";
import { countsFor } from "#server/features/talk/live/live.queries.ts";
import { maySee, mayMeet, opensLists, pair, type Post } from "#server/test/audiences/oracle.ts";
import {
  ids,
  listed,
  newest,
  ofEach,
  orNothing,
  profilesSeen,
  seenOf,
  type Look,
  type MembersLook,
  type Surfaces,
} from "#server/test/audiences/surface.ts";
import { memberAt, refOf } from "#server/test/audiences/world.ts";
import { query } from "#server/test/query.ts";

const pathOf = ({ world }: Look, { author, number }: Post) =>
  `/post/${memberAt(world, author).username}/${number}`;
const kinds = ["like", "comment", "follow", "mention"] as const;

const notifications: Surfaces = {
  "notifications, listed": {
    membersOnly: true,
    atMost: true,
    shows: async ({ on, viewer }) => {
      const all = await on.notifications.list(viewer, "all", null);
      const mentions = await on.notifications.list(viewer, "mentions", null);
      return [...all.items, ...mentions.items].flatMap(({ post }) => post?.path ?? []);
    },
    expected: (look) => seenOf(look, look.state.posts).map((post) => pathOf(look, post)),
  },
  "notifications, sent later": {
    membersOnly: true,
    atMost: true,
    shows: async ({ on, viewer }) => {
      const unread = await query<{ id: string }>(
        on.db,
        "select id from notifications where account_id = $1 and unread",
        [viewer.id],
      );
      return ofEach(unread, async ({ id }) => {
        const found = await on.notifications.findUnread(viewer.id, id);
        return found?.post ? [found.post.path] : [];
      });
    },
    expected: (look) => seenOf(look, look.state.posts).map((post) => pathOf(look, post)),
  },
  "acts in apps": {
    membersOnly: true,
    atMost: true,
    shows: async ({ on, viewer }) => {
      const acts = await on.notifications.acts(viewer, { ...newest, kinds });
      const gathered = await ofEach(acts, async ({ notificationId }) => {
        const span = { lowest: notificationId, highest: notificationId };
        const range = { ...newest, kinds, gathered: span };
        const found = await on.notifications.actsGathered(viewer, range);
        return found.flatMap(({ postId }) => postId ?? []);
      });
      return [...acts.flatMap(({ postId }) => postId ?? []), ...gathered];
    },
    expected: (look) => ids(seenOf(look, look.state.posts)),
  },
  "acts in apps, of all that were gathered": {
    membersOnly: true,
    atMost: true,
    shows: async ({ on, viewer }) => {
      const rows = await query<{ id: string }>(
        on.db,
        "select id from notifications where account_id = $1",
        [viewer.id],
      );
      return ofEach(rows, async ({ id }) => {
        const range = { ...newest, kinds, gathered: { lowest: id, highest: id } };
        const found = await on.notifications.actsGathered(viewer, range);
        return found.flatMap(({ postId }) => postId ?? []);
      });
    },
    expected: (look) => ids(seenOf(look, look.state.posts)),
  },
  "number of unread acts": {
    membersOnly: true,
    // as many as are listed, whose posts are looked at above
    shows: async ({ on, viewer }) => {
      const acts = await on.notifications.acts(viewer, { ...newest, kinds });
      const unread = await on.notifications.unread(viewer, { kinds, together: [], limit: 100 });
      return [`${unread - acts.filter((act) => act.unread).length} that are not listed`];
    },
    expected: () => ["0 that are not listed"],
  },
};

const documentsOf = (look: Look) =>
  ofEach(look.world.members, async ({ id, username }) => {
    const document = await orNothing(look.on.documents.byId(look.viewer, id));
    if (!document) return [];
    const { postsCount, idParam, posts, followerAccounts, followingAccounts } = document;
    return [
      ...followerAccounts.map((address) => `${address} follows ${username}, a follower`),
      ...followingAccounts.map((address) => `${username} follows ${address}`),
      `${username}: ${postsCount}, up to ${idParam}`,
      ...posts.map(({ postId }) => `${username}/${postId}`),
    ];
  });

/** The lists of an account in its document, which names the viewer by email, and always where they are in one. */
function followsIn(look: Look, owner: number): string[] {
  const { world, who, state } = look;
  const isOpen = opensLists(state, who, owner);
  const address = (one: number) =>
    one === who ? memberAt(world, one).email : memberAt(world, one).username;
  const { username } = memberAt(world, owner);
  return world.members.flatMap((_, one) => {
    if (!mayMeet(state, who, one) || !(isOpen || one === who)) return [];
    return [
      ...(state.follows.has(pair(one, owner))
        ? [`${address(one)} follows ${username}, a follower`]
        : []),
      ...(state.follows.has(pair(owner, one)) ? [`${username} follows ${address(one)}`] : []),
    ];
  });
}

function documentsExpected(look: Look): string[] {
  const { world, who, state } = look;
  return profilesSeen(look).flatMap((profile) => {
    const { username } = memberAt(world, profile.who);
    const numbers = profile.own.map(({ number }) => number);
    // One that was imported may have a higher number than a newer one.
    const [newest] = profile.own.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const last =
      profile.who === who ? (state.lastNumbers[profile.who] ?? 0) : (newest?.number ?? 0);
    return [
      ...followsIn(look, profile.who),
      `${username}: ${numbers.length}, up to ${last}`,
      ...numbers.map((number) => `${username}/${number}`),
    ];
  });
}

const savedDocuments = (look: MembersLook) =>
  seenOf(
    look,
    listed(look.state.posts).filter(({ saves }) => saves.has(look.who)),
  ).map(({ number }) => `${number}`);

const documents: Surfaces = {
  "documented accounts": { shows: documentsOf, expected: documentsExpected },
  "documented bookmarks": {
    membersOnly: true,
    shows: async ({ on, viewer }) =>
      (await on.documents.at(viewer, viewer.email)).bookMarks.map(({ postId }) => `${postId}`),
    expected: savedDocuments,
  },
  "documented comments": {
    shows: (look) =>
      ofEach(look.posts, async (post) => {
        const { on, world, viewer } = look;
        const { username } = memberAt(world, post.author);
        const found = await orNothing(on.threads.ofPost(viewer, username, post.number));
        return found ? [post.id] : [];
      }),
    expected: (look) => ids(seenOf(look, look.posts)),
  },
};

type Listed = "likes" | "comments" | "saves";
const archived = async ({ on, viewer }: MembersLook, list: Listed) => {
  const rows = await lists[list](on.db, { accountId: viewer.id, after: null, limit: 200 });
  return rows.flatMap(({ item }) => {
    const post = item?.["post"] as { author: string; number: number } | null | undefined;
    return post ? [`/post/${post.author}/${post.number}`] : [];
  });
};
const mine = (list: Listed) => (look: MembersLook) =>
  look.state.posts
    .filter((post) => maySee(look.state, look.who, post))
    .flatMap((post) => {
      const path = pathOf(look, post);
      if (list === "comments")
        return post.comments.filter(({ writer }) => writer === look.who).map(() => path);
      return post[list].has(look.who) ? [path] : [];
    });

const archive: Surfaces = Object.fromEntries(
  (["likes", "comments", "saves"] as const).map((list) => [
    `${list} in the archive`,
    { membersOnly: true, shows: (look) => archived(look, list), expected: mine(list) },
  ]),
);

const streams: Surfaces = {
  "numbers in streams": {
    membersOnly: true,
    shows: async ({ on, world, viewer, state }) => {
      const watching = state.posts.map((post) => {
        const { authorId, postId } = refOf(world, post);
        return { post: `${authorId}.${postId}`, accountId: viewer.id };
      });
      return (await countsFor(on.db, watching)).map(({ post }) => post.split(".")[1] ?? "");
    },
    expected: (look) => ids(seenOf(look, look.state.posts)),
  },
};

export const otherSurfaces: Surfaces = { ...notifications, ...documents, ...archive, ...streams };
