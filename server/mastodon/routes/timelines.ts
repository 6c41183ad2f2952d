import type { IdRange } from "#server/platform/db/cursors.ts";
import { statusEntities, writtenEntities } from "#server/mastodon/entities/statuses.ts";
import { postItem } from "#server/features/posts/index.ts";
import type { Call, MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { endsIn, itemsInRange, linkItems, pageAbove } from "#server/mastodon/pagination.ts";
import type { FeedPost, Page, PostTile, Viewer } from "#shared/views.ts";

export const mostStatuses = 40;
const aPage = { usual: 20, most: mostStatuses };
const readable = { who: "anybody", scope: "read:statuses" } as const;

/** docs.joinmastodon.org/methods/timelines, /bookmarks, /favourites */
export function timelineRoutes(router: MastodonRouter, { features }: MastodonDeps): void {
  const { references, explore, tags } = features;

  router.member("get", "/api/v1/timelines/home", "read:statuses", home);

  router.get("/api/v1/timelines/public", readable, (call) => {
    // All accounts are local: there is nothing from elsewhere.
    if (call.input.flag("remote")) return [];
    return fromTiles(call, { read: explore.recent, above: explore.above });
  });

  router.get("/api/v1/timelines/tag/:tag", readable, (call) => {
    const { input, part } = call;
    if (input.flag("remote")) return [];
    const tagsIn = (name: string) => input.list(name).filter((tag) => tag !== "");
    const which = {
      onlyPhotos: input.flag("only_media") ?? false,
      more: { any: tagsIn("any"), all: tagsIn("all"), none: tagsIn("none") },
    };
    return fromTiles(call, {
      read: (viewer, cursor) => tags.posts(viewer, part("tag"), cursor, which),
      above: (viewer, range) => tags.above(viewer, part("tag"), range, which),
    });
  });

  const listStatuses = async (call: MemberCall, read: typeof references.saved) => {
    const posts = await itemsInRange(call, aPage, (range) => read(call.viewer, range));
    return statusEntities(call.deps, call.viewer, posts.map(postItem));
  };
  router.member("get", "/api/v1/bookmarks", "read:bookmarks", (call) =>
    listStatuses(call, references.saved),
  );
  router.member("get", "/api/v1/favourites", "read:favourites", (call) =>
    listStatuses(call, references.liked),
  );
}

async function answer(call: Call, posts: readonly FeedPost[], more: boolean) {
  const statuses = await statusEntities(call.deps, call.viewer, posts.map(postItem));
  linkItems(call, statuses, more);
  return statuses;
}

async function home(call: MemberCall) {
  const { deps, viewer, input } = call;
  const { feed, references } = deps.features;
  const ends = endsIn(call);
  const limit = input.count("limit", aPage.usual, aPage.most);
  if (ends.minimum !== null) {
    return answer(call, await references.homeAbove(viewer, ends, limit), true);
  }
  const range = await references.rangeOf(ends, limit);
  const { items, more } = await pageAbove(range, async (from) => {
    const page = await feed.written(viewer, from, limit);
    return { ...page, items: page.items.map((item) => ({ ...item, id: item.post.id })) };
  });
  const statuses = writtenEntities(deps, viewer, items);
  linkItems(call, statuses, more);
  return statuses;
}

type Tiles = {
  read: (viewer: Viewer | null, cursor: string | null) => Promise<Page<PostTile>>;
  above: (viewer: Viewer | null, range: IdRange) => Promise<PostTile[]>;
};

/** One of our grids as a list of statuses. */
async function fromTiles(call: Call, { read, above }: Tiles) {
  const { deps, viewer, input } = call;
  const { references } = deps.features;
  const limit = input.count("limit", aPage.usual, aPage.most);
  const range = await references.rangeOf(endsIn(call), limit);
  const { items, more } = range.upward
    ? { items: await above(viewer, range), more: true }
    : await pageAbove(range, (from) => read(viewer, from));
  const ids = items.map(({ id }) => id);
  return answer(call, await references.byIds(viewer, ids), more);
}
