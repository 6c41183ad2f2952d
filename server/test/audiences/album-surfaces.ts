import { photosOf } from "#server/features/links/guests.queries.ts";
import {
  mayMeet,
  mayOpen,
  maySee,
  shownToGuests,
  type Album,
  type AlbumLink,
} from "#server/test/audiences/oracle.ts";
import {
  ids,
  ofEach,
  orNothing,
  type Look,
  type Surface,
  type Surfaces,
} from "#server/test/audiences/surface.ts";
import { memberAt } from "#server/test/audiences/world.ts";
import { everyPage } from "#server/test/factories.ts";
import type { AlbumTile } from "#shared/views.ts";

const shownIn = ({ state, who }: Look, { items }: Album) =>
  items.filter((post) => maySee(state, who, post));
const openTo = (look: Look): Album[] =>
  look.state.albums.filter((album) => mayOpen(look.state, look.who, album));

const said = ({ id, photoCount, cover }: AlbumTile) => `${id}: ${photoCount}, ${cover?.key}`;
const saidBy = (look: Look, album: Album) => {
  const shown = shownIn(look, album);
  return `${album.id}: ${shown.length}, ${shown[0]?.photo ?? undefined}`;
};

/** What a place shows of each link, whoever has it. */
const guests = (shows: (look: Look, link: AlbumLink) => Promise<string[]>): Surface => ({
  shows: (look) =>
    ofEach(look.state.links, async (link) =>
      (await shows(look, link)).map((post) => `${post} by ${link.id}`),
    ),
  expected: ({ state }) =>
    state.links.flatMap((link) =>
      ids(shownToGuests(state, link)).map((post) => `${post} by ${link.id}`),
    ),
});

/** Where albums show, and what is in them. */
export const albumSurfaces: Surfaces = {
  "albums of profiles": {
    shows: ({ on, viewer, world }) =>
      ofEach(world.members, async ({ id }) =>
        (await on.albums.of(viewer, id, null)).items.map(said),
      ),
    expected: (look) => openTo(look).map((album) => saidBy(look, album)),
  },
  "one's own albums, and those one is in": {
    membersOnly: true,
    shows: async ({ on, viewer }) => (await on.albums.mine(viewer, null)).items.map(said),
    expected: (look) =>
      openTo(look)
        .filter(({ owner, members }) => owner === look.who || members.has(look.who))
        .map((album) => saidBy(look, album)),
  },
  albums: {
    shows: ({ on, viewer, state, world }) =>
      ofEach(state.albums, async ({ id }) => {
        const album = await orNothing(on.albums.get(viewer, id));
        const names = new Map(world.members.map((member, who) => [member.id, who]));
        const who = album?.contributors.map((one) => names.get(one.id)).toSorted() ?? [];
        return album ? [`${said(album)}, by ${who.join()}`] : [];
      }),
    expected: (look) =>
      openTo(look).map((album) => {
        const authors = new Set(shownIn(look, album).map(({ author }) => author));
        authors.delete(album.owner);
        return `${saidBy(look, album)}, by ${[...authors].toSorted().join()}`;
      }),
  },
  "photos in albums": {
    shows: ({ on, viewer, state }) =>
      ofEach(state.albums, async ({ id }) => {
        const photos = await orNothing(everyPage((cursor) => on.albums.photos(viewer, id, cursor)));
        return ids(photos ?? []).map((photo) => `${photo} in ${id}`);
      }),
    expected: (look) =>
      openTo(look).flatMap((album) =>
        ids(shownIn(look, album)).map((photo) => `${photo} in ${album.id}`),
      ),
  },
  "albums shared with guests": guests(async ({ on }, { id, cookie }) => {
    const opened = await on.guests.find(id, { cookieHeader: cookie });
    const link = opened && !opened.locked ? opened.link : null;
    return ids(link ? await everyPage((cursor) => on.guests.posts(link, cursor)) : []);
  }),
  "photos of albums shared with guests": guests(async ({ on, state }, { id, cookie }) =>
    ofEach(state.posts, async (post) => {
      const found = post.photo && (await on.guests.photo(id, post.photo, { cookieHeader: cookie }));
      return found ? [post.id] : [];
    }),
  ),
  "zips of albums shared with guests": guests(async ({ on, state }, { id, cookie }) => {
    const opened = await on.guests.find(id, { cookieHeader: cookie });
    const keys = new Set(
      opened ? (await photosOf(on.db, opened.link, 100)).map(({ key }) => key) : [],
    );
    return ids(state.posts.filter(({ photo }) => photo !== null && keys.has(photo)));
  }),
  "members of albums": {
    membersOnly: true,
    shows: ({ on, viewer, state }) =>
      ofEach(state.albums, async ({ id }) => {
        const members = await orNothing(on.albumMembers.list(viewer, id));
        return ids(members?.items ?? []).map((member) => `${member} in ${id}`);
      }),
    expected: (look) =>
      openTo(look)
        .filter(({ owner, members }) => owner === look.who || members.has(look.who))
        .flatMap(({ id, owner, members }) =>
          [owner, ...members.keys()]
            .filter((who) => mayMeet(look.state, look.who, who))
            .map((who) => `${memberAt(look.world, who).id} in ${id}`),
        ),
  },
};
