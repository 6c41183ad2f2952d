import { idBelow, toPage, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/posts/posts.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

const largestNumber = 2 ** 31 - 1;

type Reader = Pick<Viewer, "id"> | null;

export function isPostNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= largestNumber;
}

/**
 * Posts for reading: by their address and number in a URL, and in the two tabs of a profile, newest first.
 */
export function createPostReads(db: Database) {
  /** Null where no such post can be seen. */
  const readAt =
    <Found>(read: queries.ReadAt<Found>) =>
    async (viewer: Reader, address: string, number: number): Promise<Found | null> =>
      isPostNumber(number) ? read(db, viewer?.id ?? null, { address, number }) : null;

  const get = readAt(queries.findPost);
  const findRef = readAt(queries.findPostRef);

  /**
   * The viewer's own post of this number, while it is new; otherwise null. Numbers are counted per author:
   * none can name somebody else's post.
   */
  async function justPublished(viewer: Viewer, number: number): Promise<FeedPost | null> {
    const post = await get(viewer, viewer.username, number);
    if (!post?.mine || post.imported) return null;
    return Date.now() - post.createdAt < limits.justPostedHours * 3_600_000 ? post : null;
  }

  /** Resolves an address and a number to a post. Refuses with not-found. */
  async function refAt(viewer: Reader, address: string, number: number): Promise<PostRef> {
    const found = await findRef(viewer, address, number);
    if (!found) throw refuse("not-found");
    return found;
  }

  const tab =
    <Item>(read: queries.ReadTab<KeyedRow<Item>>, size: number) =>
    async (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ): Promise<Page<Item>> => {
      const below = idBelow(cursor);
      if (!isId(accountId)) return { items: [], nextCursor: null };
      const page = { authorId: accountId, below, limit: size + 1 };
      return toPage(await read(db, viewer?.id ?? null, page), size);
    };

  return {
    get,
    /** What its author shows of how and where its photos were taken. */
    details: readAt(queries.findDetails),
    justPublished,
    refAt,
    /** The post that an earlier submit with this key created, if it still exists. */
    findSubmitted: async (viewer: Viewer, clientKey: string) =>
      (await queries.findByClientKey(db, viewer.id, clientKey)) ?? null,
    photosOf: tab(queries.tilesOf, limits.gridPage),
    textsOf: tab(queries.textsOf, limits.feedPage),
  };
}
