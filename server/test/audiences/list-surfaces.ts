import { lowestId } from "#server/platform/db/cursors.ts";
import { maySee, mayMeet, opensLists, pair } from "#server/test/audiences/oracle.ts";
import {
  ids,
  listed,
  newest,
  ofEach,
  orNothing,
  profilesSeen,
  seenOf,
  unbounded,
  type Look,
  type MembersLook,
  type Surfaces,
} from "#server/test/audiences/surface.ts";

const inFeeds = ({ state }: Look) => listed(state.posts).filter(({ imported }) => !imported);
const followed = (look: Look) =>
  seenOf(look, inFeeds(look)).filter(({ author }) => {
    const toAuthor = pair(look.who, author);
    return look.state.follows.has(toAuthor) && !look.state.mutes.has(toAuthor);
  });
const own = (look: Look) => inFeeds(look).filter(({ author }) => author === look.who);
const feed = (look: Look) => ids(followed(look));
const feedAndOwn = (look: Look) => ids([...followed(look), ...own(look)]);

const feeds: Surfaces = {
  home: {
    membersOnly: true,
    shows: async ({ on, viewer }) => ids((await on.feed.home(viewer, null, 100)).items),
    expected: feed,
  },
  "home, from lists written ahead": {
    membersOnly: true,
    shows: async ({ on, viewer }) => {
      on.homeLists.refreshSoon(viewer.id);
      await on.homeLists.work();
      return ids((await on.feed.home(viewer, null, 100)).items);
    },
    expected: feed,
  },
  "home, first page": {
    membersOnly: true,
    shows: async ({ on, viewer }) => ids((await on.feed.visit(viewer, 100)).page.items),
    expected: feed,
  },
  "home of apps": {
    membersOnly: true,
    shows: async ({ on, viewer }) =>
      (await on.feed.written(viewer, null, 100)).items.map(({ post }) => post.id),
    expected: feedAndOwn,
  },
  "home of apps, upward": {
    membersOnly: true,
    shows: async ({ on, viewer }) => ids(await on.references.homeAbove(viewer, unbounded, 100)),
    expected: feedAndOwn,
  },
  "number of newer posts": {
    membersOnly: true,
    shows: async ({ on, viewer }) => [`${await on.feed.newerCount(viewer, lowestId)}`],
    expected: (look) => [`${followed(look).length}`],
  },
};

const profiles: Surfaces = {
  "photos of profiles": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) =>
        ids((await on.posts.photosOf(viewer, id, null)).items),
      ),
    expected: (look) =>
      ids(
        seenOf(
          look,
          listed(look.state.posts).filter(({ photo }) => photo),
        ),
      ),
  },
  "words of profiles": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) =>
        ids((await on.posts.textsOf(viewer, id, null)).items),
      ),
    expected: (look) =>
      ids(
        seenOf(
          look,
          listed(look.state.posts).filter(({ photo }) => !photo),
        ),
      ),
  },
  "profiles in apps": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) =>
        ids(await on.references.ofAuthor(viewer, id, unbounded, { limit: 100, onlyPhotos: false })),
      ),
    expected: (look) => ids(seenOf(look, listed(look.state.posts))),
  },
  "photos of profiles in apps": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) =>
        ids(await on.references.ofAuthor(viewer, id, unbounded, { limit: 100, onlyPhotos: true })),
      ),
    expected: (look) =>
      ids(
        seenOf(
          look,
          listed(look.state.posts).filter(({ photo }) => photo),
        ),
      ),
  },
  "numbers of profiles": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }, who) => {
        const profile = await on.profiles.get(viewer, id);
        if (!profile) return [];
        const { counts, listsOpen } = profile;
        return [`${who}: ${counts.posts}, ${counts.photos} with photos, lists ${listsOpen}`];
      }),
    expected: (look) =>
      profilesSeen(look).map(({ who, own: posts }) => {
        const photos = posts.filter(({ photo }) => photo).length;
        const isOpen = opensLists(look.state, look.who, who);
        return `${who}: ${posts.length}, ${photos} with photos, lists ${isOpen}`;
      }),
  },
  "numbers of profiles in apps": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }, who) => {
        const found = await on.relations.details(viewer, [id]);
        return found.map((details) => `${who}: ${details.posts}`);
      }),
    expected: (look) => profilesSeen(look).map(({ who, own: posts }) => `${who}: ${posts.length}`),
  },
  "followers and followed": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) => {
        const followers = await orNothing(on.follows.followers(viewer, id, null));
        const following = await orNothing(on.follows.following(viewer, id, null));
        return [
          ...(followers?.items ?? []).map((other) => `${other.id} follows ${id} (a follower)`),
          ...(following?.items ?? []).map((other) => `${id} follows ${other.id} (followed)`),
        ];
      }),
    expected: (look) => {
      const { world, state } = look;
      const shown = (owner: number, other: number) =>
        mayMeet(state, look.who, owner) &&
        mayMeet(state, look.who, other) &&
        opensLists(state, look.who, owner);
      return [...state.follows].flatMap((follow) => {
        const [by = 0, whom = 0] = follow.split(">").map(Number);
        const text = `${world.members[by]?.id} follows ${world.members[whom]?.id}`;
        return [
          ...(shown(whom, by) ? [`${text} (a follower)`] : []),
          ...(shown(by, whom) ? [`${text} (followed)`] : []),
        ];
      });
    },
  },
};

const savedBy = (look: MembersLook) =>
  seenOf(
    look,
    look.state.posts.filter(({ saves }) => saves.has(look.who)),
  );

const ownLists: Surfaces = {
  bookmarks: {
    membersOnly: true,
    shows: async ({ on, viewer }) => [
      ...ids((await on.bookmarks.list(viewer, "photos", null)).items),
      ...ids((await on.bookmarks.list(viewer, "texts", null)).items),
    ],
    expected: (look) => ids(savedBy(look)),
  },
  collections: {
    membersOnly: true,
    shows: async ({ on, viewer }) => {
      const [collection] = await on.collections.list(viewer);
      return collection ? ids((await on.collections.posts(viewer, collection.id, null)).items) : [];
    },
    expected: (look) => ids(savedBy(look)),
  },
  "numbers of bookmarks": {
    membersOnly: true,
    shows: async ({ on, viewer }) => {
      const { photos, texts } = await on.bookmarks.counts(viewer);
      return [`${photos} photos, ${texts} texts`];
    },
    expected: (look) => {
      const saved = savedBy(look);
      const photos = saved.filter(({ photo }) => photo).length;
      return [`${photos} photos, ${saved.length - photos} texts`];
    },
  },
  "bookmarks in apps": {
    membersOnly: true,
    shows: async ({ on, viewer }) => ids((await on.references.saved(viewer, newest)).items),
    expected: (look) => ids(savedBy(look)),
  },
  "likes in apps": {
    membersOnly: true,
    shows: async ({ on, viewer }) => ids((await on.references.liked(viewer, newest)).items),
    expected: (look) =>
      ids(
        look.state.posts.filter(
          (post) => post.likes.has(look.who) && maySee(look.state, look.who, post),
        ),
      ),
  },
};

export const listSurfaces: Surfaces = { ...feeds, ...profiles, ...ownLists };
