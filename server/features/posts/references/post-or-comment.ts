import type { PlacedComment } from "#server/features/posts/references/references.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import type { FeedPost, PostView } from "#shared/views.ts";

/** A post, or a comment with its post. */
export type PostOrComment =
  { kind: "post"; post: FeedPost | PostView } | { kind: "comment"; placed: PlacedComment };

export const postItem = (post: FeedPost | PostView): PostOrComment => ({ kind: "post", post });
export const commentItem = (placed: PlacedComment): PostOrComment => ({ kind: "comment", placed });

/** The post itself, or the comment's post. */
export const postOf = (one: PostOrComment): PostRef =>
  one.kind === "post"
    ? { authorId: one.post.author.id, postId: one.post.id }
    : { authorId: one.placed.authorId, postId: one.placed.postId };
