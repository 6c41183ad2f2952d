import { bind } from "#server/platform/bind.ts";
import {
  idAbove,
  rangeBelow,
  toPage,
  writeCursor,
  type IdRange,
} from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { mutedWordsOf, filteredPage } from "#server/features/people/index.ts";
import { hidesTile } from "#server/features/posts/muted-posts.ts";
import * as queries from "#server/features/posts/tags/tags.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { tagAsked, tagsOf } from "#shared/tags.ts";
import type { Page, PostTile, TagView, Viewer } from "#shared/views.ts";

/** Posts of one transaction of the job that tags old posts. */
const postsAtOnce = 200;

/** `more`: as somebody typed them, each `mostMore` at most */
type Which = { onlyPhotos?: boolean; more?: queries.MoreTags };
/** as many as Mastodon applies (docs.joinmastodon.org/methods/timelines/#tag) */
const mostMore = 4;
type TagCount = { posts: number; more: boolean };

/**
 * Which posts of a tag are left out: those with the viewer's muted words, and texts where photos are
 * requested.
 */
function leavesOut(viewer: Viewer | null, tag: string, { onlyPhotos = false }: Which) {
  const hides = hidesTile(viewer, `#${tag}`);
  if (!onlyPhotos) return hides;
  return (tile: PostTile) => !tile.picture || (hides?.(tile) ?? false);
}

type Deps = { db: Database };

/** The tags in posts' words, and the posts that have one. */
export const createTags = (deps: Deps) => bind(deps, { posts, count, above, beginning, sweep });

/**
 * Newest first, photos and words alike. A page can have fewer than there is room for, or none, and be
 * followed by another: where many of the newest are by people whom the viewer does not see. A viewer who
 * muted the tag itself and opens it still sees it.
 */
async function posts(
  deps: Deps,
  viewer: Viewer | null,
  tag: string,
  cursor: string | null,
  which: Which = {},
): Promise<Page<PostTile>> {
  const [folded, more] = [tagIn(tag), moreIn(which)];
  const request = { cursor, size: limits.gridPage };
  return filteredPage(leavesOut(viewer, folded, which), request, (from, size) =>
    read(deps, viewer, { tag: folded, more }, rangeBelow(from, size)),
  );
}

/** How many of its newest posts the viewer may see, `counted` at most, and whether there may be more. */
async function count({ db }: Deps, viewer: Viewer | null, tag: string): Promise<TagCount> {
  const counted = limits.tagPostsCounted;
  const { seen, all } = await queries.countTagged(db, viewer?.id ?? null, tagIn(tag));
  return { posts: Math.min(seen, counted), more: all > counted };
}

/** Those right above an id, newest first. */
async function above(
  deps: Deps,
  viewer: Viewer | null,
  tag: string,
  range: IdRange,
  which: Which = {},
): Promise<PostTile[]> {
  const [folded, more] = [tagIn(tag), moreIn(which)];
  const request = { cursor: writeCursor([range.above]), size: range.limit };
  const { items } = await filteredPage(leavesOut(viewer, folded, which), request, (from, limit) =>
    read(
      deps,
      viewer,
      { tag: folded, more },
      { ...range, above: idAbove(from), upward: true, limit },
    ),
  );
  return items.toReversed();
}

async function read(
  { db }: Deps,
  viewer: Viewer | null,
  tags: Pick<queries.TaggedPage, "tag" | "more">,
  { limit: size, ...range }: IdRange,
): Promise<Page<PostTile>> {
  const page = { ...range, ...tags, limit: size + 1 };
  const { rows, reached } = await queries.postsTagged(db, viewer?.id ?? null, page);
  const { items, nextCursor } = toPage(rows, size);
  return { items, nextCursor: nextCursor ?? (reached && writeCursor([reached])) };
}

/**
 * Tags that begin with what somebody has typed so far, most used first; none for what cannot begin a tag.
 */
async function beginning({ db }: Deps, viewer: Viewer | null, typed: string): Promise<TagView[]> {
  const letters = tagAsked(withMark(`${typed}a`))?.slice(0, -1);
  const found = letters ? await queries.tagsBeginning(db, viewer?.id ?? null, letters) : [];
  const muted = mutedWordsOf(viewer);
  return muted ? found.filter(({ tag }) => muted(`#${tag}`) === null) : found;
}

/** Reads the tags of posts from before there were any, until none is left. */
async function sweep({ db }: Deps): Promise<void> {
  for (;;) {
    const done = await db.transaction(async () => {
      const waiting = await queries.lockUntagged(db, postsAtOnce);
      if (waiting.length === 0) return 0;
      const read = waiting.map(({ caption, ...ref }) => ({ ...ref, tags: tagsOf(caption) }));
      await queries.tagUntagged(db, read);
      return waiting.length;
    });
    if (done < postsAtOnce) return;
  }
}

const withMark = (tag: string) => (/^\s*[#＃]/.test(tag) ? tag : `#${tag.trimStart()}`);

/** A tag with its # or without, folded. Refuses what is not a tag. */
function tagIn(typed: string): string {
  const tag = tagAsked(withMark(typed));
  if (tag === null) throw refuse("input-invalid", { message: "This is not a tag." });
  return tag;
}

/** Refuses what is not a tag, and more of them than are looked for. */
function moreIn({ more }: Which): queries.MoreTags | undefined {
  if (!more || Object.values(more).every((tags) => tags.length === 0)) return undefined;
  return { any: tagsIn(more.any), all: tagsIn(more.all), none: tagsIn(more.none) };
}

function tagsIn(typed: readonly string[]): string[] {
  if (typed.length > mostMore)
    throw refuse("input-invalid", { message: `At most ${mostMore} tags beside the first.` });
  return [...new Set(typed.map(tagIn))];
}
