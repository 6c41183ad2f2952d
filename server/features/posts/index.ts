// Posts with their pictures, likes, comments and bookmarks, and the home feed.
export { createAltSuggestions } from "#server/features/posts/alt-suggestions/alt-suggestions.ts";
export { createBookmarks, type Bookmarks } from "#server/features/posts/bookmarks/bookmarks.ts";
export { createCommentLikes } from "#server/features/posts/comments/comment-likes.ts";
export { createComments, type Comments } from "#server/features/posts/comments/comments.ts";
export { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
export { createExplore, type Explore } from "#server/features/posts/explore/explore.ts";
export { wordsHide } from "#server/features/posts/muted-posts.ts";
export { createFeed } from "#server/features/posts/feed/feed.ts";
export { createHomeLists } from "#server/features/posts/feed/home-lists.ts";
export { createBackgroundAvif } from "#server/features/posts/images/background-avif.ts";
export { countDecodes } from "#server/features/posts/images/decode-queue.ts";
export { keysInUse, writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
export { createImages, type Images } from "#server/features/posts/images/images.ts";
export type { ReceivedImage } from "#server/features/posts/images/receive.ts";
export { unclaimedForMs } from "#server/features/posts/images/removal.ts";
export { bringEdits } from "#server/features/posts/edits/edits.queries.ts";
export { createLargePictures } from "#server/features/posts/images/large-pictures.ts";
export { findOrphans } from "#server/features/posts/images/orphans.ts";
export {
  createVisitorUploads,
  publicAddress,
} from "#server/features/posts/images/visitor-uploads.ts";
export { createLikes, type Likes } from "#server/features/posts/likes/likes.ts";
export {
  commentStands,
  eachPicture,
  epochMs,
  picturesOf,
  placeOf,
} from "#server/features/posts/post-view.queries.ts";
export {
  insertPost,
  lockCounters,
  type WrittenPost,
} from "#server/features/posts/posts.queries.ts";
export { createPosts, type Posts } from "#server/features/posts/posts.ts";
export {
  createReferences,
  postOf,
  shownComment,
  shownPost,
  type Ends,
  type PlacedComment,
  type References,
  type Shown,
} from "#server/features/posts/references/references.ts";
export { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
export { createResumableUploads } from "#server/features/posts/uploads/resumable-uploads.ts";
export { createTags } from "#server/features/posts/tags/tags.ts";
