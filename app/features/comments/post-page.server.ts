import { isRefusal } from "#shared/errors.ts";
import type { PostDetails } from "#shared/photo-details.ts";
import type {
  AltSuggestion,
  CommentThread,
  CommentView,
  FeedPost,
  Page,
  Viewer,
} from "#shared/views.ts";
import { findPost, refOf, type PostAddress } from "#app/features/posts/find-post.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = Pick<PageContext["features"], "posts" | "comments" | "altSuggestions">;

const nothingShown: PostDetails = { showCamera: false, showPlace: false, photos: [] };

/**
 * A post with a page of its comments, oldest first, the one that is being replied to, and what is shown of
 * how its photos were taken; for its author, the suggested alt texts.
 */
export type PostPage = {
  post: FeedPost;
  comments: Page<CommentThread>;
  replyTo: CommentView | null;
  details: PostDetails;
  suggestions: AltSuggestion[];
};

/** The query of a post's page. */
export type PostPageQuery = {
  cursor: string | null;
  /** the comment that the list begins with */
  comment: string | null;
  /** the comment that the form replies to */
  reply: string | null;
};

export async function readPostPage(
  features: Features,
  viewer: Viewer | null,
  where: PostAddress,
  { cursor, comment, reply }: PostPageQuery,
): Promise<PostPage> {
  const post = await findPost(features, viewer, where);
  const { list, listFrom, get } = features.comments;
  const undescribed = post.mine && post.pictures.some(({ alt }) => !alt);
  const [comments, replyTo, details, suggestions] = await Promise.all([
    comment === null ? list(viewer, refOf(post), cursor) : listFrom(viewer, refOf(post), comment),
    reply === null ? null : orGone(get(viewer, refOf(post), reply)),
    post.detailed ? features.posts.details(viewer, post.author.username, post.number) : null,
    viewer && undescribed ? features.altSuggestions.ofPost(viewer, refOf(post)) : [],
  ]);
  return { post, comments, replyTo, details: details ?? nothingShown, suggestions };
}

/** The comment to reply to may be gone: the form is still there. */
async function orGone(read: Promise<CommentView>): Promise<CommentView | null> {
  return read.catch((error: unknown) => {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  });
}
