import type {
  AccountRow,
  DocumentImage,
  PostRow,
} from "#server/compat/documents/documents.queries.ts";
import type { DocumentedPost, DocumentedUser } from "#shared/documents.inputs.ts";
import type { ImagePasses } from "#server/features/posts/index.ts";
import { absoluteImageUrl, type ImageBases } from "#shared/image-urls.ts";
import { storedTime } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

/** The viewer, how many entries a list may have, and the addresses of the accounts in them. */
export type ViewContext = {
  viewerId: string | null;
  entries: number;
  /** id → address; accounts that are not in it may not be seen */
  addresses: ReadonlyMap<string, string>;
  /** the address of an image, with what this viewer needs to load it */
  imageAddress: (image: DocumentImage | null) => string;
};

/**
 * The documented address of an image; empty for none. One that is not for everyone has a pass for the
 * viewer's session: whoever loads it from here sends no token with it.
 */
export const imageAddresses =
  ({ imagePasses, ...bases }: ImageBases & { imagePasses: Pick<ImagePasses, "issue"> }) =>
  (viewer: Viewer | null) =>
  (image: DocumentImage | null): string => {
    if (!image) return "";
    const pass = image.gated && viewer ? imagePasses.issue(viewer.sessionId, image.key) : undefined;
    return absoluteImageUrl(bases, { ...image, ...(pass && { pass }) }, image.width);
  };

export type ImageAddresses = ReturnType<typeof imageAddresses>;

/**
 * The newest entries of a list as addresses, newest last, since clients add at its end. The
 * viewer's own entry stays, however old it is.
 */
function entriesOf(newestFirst: readonly string[], own: boolean, context: ViewContext): string[] {
  const { viewerId, entries, addresses } = context;
  const ids =
    own && viewerId && !newestFirst.includes(viewerId)
      ? [...newestFirst.slice(0, entries - 1), viewerId]
      : newestFirst;
  return ids.flatMap((id) => addresses.get(id) ?? []).reverse();
}

/** Null where the author may not be seen. */
function postDocument(row: PostRow, context: ViewContext): DocumentedPost | null {
  const author = context.addresses.get(row.authorId);
  if (author === undefined) return null;
  return {
    postId: row.number,
    caption: row.caption,
    ...(row.image && { uploadImg: context.imageAddress(row.image) }),
    ...storedTime(row.time, row.timeZone),
    likes: row.likes,
    likeAccounts: entriesOf(row.likerIds, row.likedByViewer, context),
    author,
    time: row.time,
  };
}

/** `posts` and `bookmarks` are newest first, as their queries answer them. */
export function userDocument(
  row: AccountRow,
  { posts, bookmarks }: { posts: readonly PostRow[]; bookmarks: readonly PostRow[] },
  context: ViewContext,
): DocumentedUser {
  const documents = (rows: readonly PostRow[]) =>
    rows.flatMap((post) => postDocument(post, context) ?? []).reverse();
  return {
    _id: row.id,
    email: row.address,
    image: context.imageAddress(row.image),
    fName: row.firstName,
    sName: row.secondName,
    fullName: row.name,
    bio: row.bio,
    followers: row.followers,
    following: row.following,
    postsCount: row.posts,
    idParam: row.lastPostNumber,
    followerAccounts: entriesOf(row.followerIds, row.followedByViewer, context),
    followingAccounts: entriesOf(row.followingIds, row.followsViewer, context),
    posts: documents(posts),
    bookMarks: documents(bookmarks),
  };
}

/**
 * The same document in at most `bytes` of JSON: the oldest posts are left out, and the earliest of
 * the bookmarks, which get half of the space.
 */
export function fitDocument(document: DocumentedUser, bytes: number): DocumentedUser {
  if (sizeOf(document) <= bytes) return document;
  const rest = bytes - sizeOf({ ...document, posts: [], bookMarks: [] });
  const bookMarks = newestThatFit(document.bookMarks, Math.floor(rest / 2));
  const posts = newestThatFit(document.posts, rest - sizeOf(bookMarks));
  return { ...document, posts, bookMarks };
}

/** `posts` newest last; the result has at most `bytes` of JSON. */
export function newestThatFit<Entry>(posts: readonly Entry[], bytes: number): Entry[] {
  let first = posts.length;
  // the brackets, then each entry with its comma
  let size = 2;
  while (first > 0) {
    size += sizeOf(posts[first - 1]) + 1;
    if (size > bytes) break;
    first -= 1;
  }
  return posts.slice(first);
}

/** Bytes of a value as JSON in UTF-8. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
