import { isForEveryone, pair } from "#server/test/audiences/oracle.ts";
import { ids, oldest, seenOf, type Look, type Surfaces } from "#server/test/audiences/surface.ts";
import { refOf } from "#server/test/audiences/world.ts";
import { limits } from "#shared/limits.ts";

const inPublic = (look: Look) =>
  seenOf(look, look.state.posts).filter(
    (post) => isForEveryone(look.state, post) && !look.state.mutes.has(pair(look.who, post.author)),
  );
/** The newest photos for everyone of each author. */
const explored = (look: Look) => {
  const { state } = look;
  const photos = state.posts.filter(({ photo, audience }) => photo && audience === "everyone");
  const ranked = [...Map.groupBy(photos, ({ author }) => author).values()].flatMap((posts) =>
    posts.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limits.explore.perAccount),
  );
  const there = new Set(ids(ranked));
  return ids(inPublic(look)).filter((id) => there.has(id));
};
const aVisitor = (look: Look): Look => ({ ...look, who: null, viewer: null });

/** What shows posts to those who did not choose their authors. */
export const publicSurfaces: Surfaces = {
  Explore: {
    shows: async ({ on, viewer }) => ids((await on.explore.recent(viewer, null)).items),
    expected: explored,
  },
  "Explore, upward": {
    shows: async ({ on, viewer }) => ids(await on.explore.above(viewer, oldest)),
    expected: explored,
  },
  "the front page": {
    atMost: true,
    shows: async ({ on }) => ids((await on.explore.landing()).photos),
    expected: (look) => explored(aVisitor(look)),
  },
  "Explore, as posts arrive": {
    shows: async ({ on, world, state }) => [
      ...(await on.explore.among(state.posts.map((post) => refOf(world, post)))),
    ],
    expected: (look) => explored(aVisitor(look)),
  },
  "a hashtag": {
    shows: async ({ on, viewer, world }) =>
      ids((await on.tags.posts(viewer, world.tag, null)).items),
    expected: (look) => ids(inPublic(look)),
  },
  "a hashtag, upward": {
    shows: async ({ on, viewer, world }) => ids(await on.tags.above(viewer, world.tag, oldest)),
    expected: (look) => ids(inPublic(look)),
  },
  "search for a hashtag": {
    shows: async ({ on, viewer, world }) =>
      (await on.tags.beginning(viewer, world.tag)).map(({ tag, posts }) => `${tag} ${posts}`),
    expected: (look) => {
      const { length } = inPublic(look);
      return length > 0 ? [`${look.world.tag} ${length}`] : [];
    },
  },
  suggestions: {
    membersOnly: true,
    atMost: true,
    shows: async ({ on, viewer }) =>
      (await on.suggestions.list(viewer)).flatMap(({ id, photos }) => [
        `${id} posts`,
        ...photos.map(({ key }) => `photo ${key}`),
      ]),
    expected: (look) =>
      inPublic(look).flatMap(({ author, photo }) => [
        `${look.world.members[author]?.id} posts`,
        `photo ${photo}`,
      ]),
  },
};
