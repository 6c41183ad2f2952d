import { createHash } from "node:crypto";
import { refuse } from "#shared/errors.ts";
import type { PostDetails } from "#shared/photo-details.ts";
import type { AltSuggestion, CommentView, FeedPost, Page, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = Pick<PageContext["features"], "posts" | "comments" | "altSuggestions">;

const nothingShown: PostDetails = { showCamera: false, showPlace: false, photos: [] };

/** Where a post stands: what its address says. */
export type PostAddress = { address: string; number: string };

/**
 * A post with a page of its comments, oldest first, and what is shown of how its photos were taken; to its
 * author, what was suggested for it.
 */
export type Thread = {
  post: FeedPost;
  comments: Page<CommentView>;
  details: PostDetails;
  suggestions: AltSuggestion[];
};

export async function findPost(
  features: Pick<Features, "posts">,
  viewer: Viewer | null,
  { address, number }: PostAddress,
): Promise<FeedPost> {
  // Numbers are written one way only: /post/ana/07 is no address.
  const known = /^[1-9]\d{0,8}$/.test(number);
  const post = known ? await features.posts.get(viewer, address, Number(number)) : null;
  if (!post) throw refuse("not-found");
  return post;
}

export function refOf({ author, id }: FeedPost) {
  return { authorId: author.id, postId: id };
}

export async function readThread(
  features: Features,
  viewer: Viewer | null,
  where: PostAddress,
  cursor: string | null,
): Promise<Thread> {
  const post = await findPost(features, viewer, where);
  const undescribed = post.mine && post.pictures.some(({ alt }) => !alt);
  const [comments, details, suggestions] = await Promise.all([
    features.comments.list(viewer, refOf(post), cursor),
    post.detailed ? features.posts.details(viewer, post.author.username, post.number) : null,
    viewer && undescribed ? features.altSuggestions.ofPost(viewer, refOf(post)) : [],
  ]);
  return { post, comments, details: details ?? nothingShown, suggestions };
}

/**
 * Adds the comment that a form holds.
 *
 * The key that makes a repeated submit harmless stands in the form; the words are part of it, so
 * that a page the browser kept (Back) can be used for another comment.
 */
export async function addComment(
  features: Pick<Features, "posts" | "comments">,
  viewer: Viewer,
  where: PostAddress,
  { body = "", clientKey = "" }: Record<string, string>,
): Promise<CommentView> {
  const post = await findPost(features, viewer, where);
  const key = createHash("sha256").update(`${clientKey}\n${body}`).digest("hex");
  return features.comments.add(viewer, refOf(post), body, clientKey ? key : null);
}
