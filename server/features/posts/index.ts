// Posts with their photos, likes, comments and bookmarks, and the home feed.
export {
  importAlbum,
  placeInAlbums,
  type AlbumFromArchive,
  type AlbumPlace,
} from "#server/features/posts/albums/album-imports.ts";
export {
  coverOf as albumCover,
  findItem as findAlbumItem,
  itemsAfter,
  itemsFor,
  type After,
} from "#server/features/posts/albums/album-items.queries.ts";
export { afterIn } from "#server/features/posts/albums/album-photos.ts";
export type { Albums } from "#server/features/posts/albums/albums.ts";
export type { Bookmarks } from "#server/features/posts/bookmarks/bookmarks.ts";
export type { Comments } from "#server/features/posts/comments/comments.ts";
export { createPostsDistrict } from "#server/features/posts/district.ts";
export { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
export { createExplore, type Explore } from "#server/features/posts/explore/explore.ts";
export { hiddenByMutedWords } from "#server/features/posts/muted-posts.ts";
export { countDecodes } from "#server/features/posts/images/decode-queue.ts";
export { keysInUse, writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
export type { ImagePasses } from "#server/features/posts/images/image-pass.ts";
export { createImages, type Images } from "#server/features/posts/images/images.ts";
export { receive, receiveFrom, type ReceivedImage } from "#server/features/posts/images/receive.ts";
export { renewImages, type Renewed } from "#server/features/posts/images/renew-images.ts";
export { unclaimedForMs } from "#server/features/posts/images/removal.ts";
export { importEdits, type ArchivedVersion } from "#server/features/posts/edits/edits.queries.ts";
export { findOrphans } from "#server/features/posts/images/orphans.ts";
export type { Likes } from "#server/features/posts/likes/likes.ts";
export { isPostVisible } from "#server/features/posts/lock.queries.ts";
export { commentNotBlocked } from "#server/features/posts/comment-view.queries.ts";
export {
  eachPhoto,
  isImported,
  newestVisible,
  postPhotos,
  locationOf,
} from "#server/features/posts/post-view.queries.ts";
export {
  insertPhotos,
  insertPost,
  lockCounters,
} from "#server/features/posts/post-writes.queries.ts";
export type { PostWithAuthor } from "#server/features/posts/posts.queries.ts";
export type { Posts } from "#server/features/posts/posts.ts";
export type { ListBounds } from "#server/features/posts/references/lists.ts";
export {
  commentItem,
  postItem,
  postOf,
  type PostOrComment,
} from "#server/features/posts/references/post-or-comment.ts";
export type { PlacedComment } from "#server/features/posts/references/references.queries.ts";
export type { References } from "#server/features/posts/references/references.ts";
