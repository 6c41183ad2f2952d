import type { IdRange } from "#server/db/cursors.ts";
import { statusEntities, writtenEntities } from "#server/mastodon/entities/statuses.ts";
import { shownPost } from "#server/features/posts/index.ts";
import type { Call, Face, FaceDeps } from "#server/mastodon/face.ts";
import { endsIn, linkItems, linkRange, pageAbove, rangeIn } from "#server/mastodon/lists.ts";
import { refuse } from "#shared/errors.ts";
import type { FeedPost, Page, PostTile, Viewer } from "#shared/views.ts";

export const mostStatuses = 40;

/** docs.joinmastodon.org/methods/timelines, /bookmarks, /favourites */
export function timelineRoutes(face: Face, deps: FaceDeps): void {
  const { features, publicUrl } = deps;
  const { feed, references, explore, tags, relations } = features;
  const place = { ...deps, relations };

  async function answer(call: Call, posts: readonly FeedPost[], more: boolean) {
    const statuses = await statusEntities(place, call.viewer, posts.map(shownPost));
    linkItems(call, publicUrl, statuses, more);
    return statuses;
  }

  face.member("get", "/api/v1/timelines/home", "read:statuses", async (call) => {
    const { viewer, input } = call;
    const ends = endsIn(call);
    const limit = input.count("limit", 20, mostStatuses);
    if (ends.minimum !== null) {
      return answer(call, await references.homeAbove(viewer, ends, limit), true);
    }
    const range = await references.rangeOf(ends, limit);
    const { items, more } = await pageAbove(range, async (from) => {
      const page = await feed.written(viewer, from, limit);
      return { ...page, items: page.items.map((item) => ({ ...item, id: item.post.id })) };
    });
    const statuses = writtenEntities(deps, items);
    linkItems(call, publicUrl, statuses, more);
    return statuses;
  });

  /** A grid of ours as a list of statuses. */
  async function fromTiles(
    call: Call,
    read: (viewer: Viewer | null, cursor: string | null) => Promise<Page<PostTile>>,
    above: (viewer: Viewer | null, range: IdRange) => Promise<PostTile[]>,
  ) {
    const { viewer, input } = call;
    const ends = endsIn(call);
    const limit = input.count("limit", 20, mostStatuses);
    const range = await references.rangeOf(ends, limit);
    if (range.upward) {
      const tiles = await above(viewer, range);
      const found = await references.byIds(
        viewer,
        tiles.map(({ id }) => id),
      );
      return answer(call, found, true);
    }
    const { items, more } = await pageAbove(range, (from) => read(viewer, from));
    const ids = items.map(({ id }) => id);
    return answer(call, await references.byIds(viewer, ids), more);
  }

  face.get("/api/v1/timelines/public", { who: "anybody", scope: "read:statuses" }, (call) => {
    // Everybody is local: of elsewhere there is nothing.
    if (call.input.flag("remote")) return [];
    return fromTiles(call, explore.recent, explore.above);
  });

  face.get("/api/v1/timelines/tag/:tag", { who: "anybody", scope: "read:statuses" }, (call) => {
    const { input, part } = call;
    if (["any", "all", "none"].some(input.has)) {
      throw refuse("not-offered", { message: "This server looks for one tag at a time." });
    }
    if (input.flag("remote")) return [];
    const which = { onlyPhotos: input.flag("only_media") ?? false };
    return fromTiles(
      call,
      (viewer, cursor) => tags.posts(viewer, part("tag"), cursor, which),
      (viewer, range) => tags.above(viewer, part("tag"), range, which),
    );
  });

  face.member("get", "/api/v1/bookmarks", "read:bookmarks", (call) => held(call, references.saved));
  face.member("get", "/api/v1/favourites", "read:favourites", (call) =>
    held(call, references.liked),
  );

  async function held(
    call: Call & { viewer: Viewer },
    read: typeof references.saved,
  ): Promise<unknown> {
    const limit = call.input.count("limit", 20, mostStatuses);
    const page = await read(call.viewer, rangeIn(call, limit));
    linkRange(call, publicUrl, page);
    return statusEntities(place, call.viewer, page.items.map(shownPost));
  }
}
