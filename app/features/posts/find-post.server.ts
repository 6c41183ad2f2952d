import { refuse } from "#shared/errors.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** The parameters of a post's address. */
export type PostAddress = { address: string; number: string };

export async function findPost(
  features: Pick<PageContext["features"], "posts">,
  viewer: Viewer | null,
  { address, number }: PostAddress,
): Promise<FeedPost> {
  // Numbers have one spelling only: /post/ana/07 is no address.
  const known = /^[1-9]\d{0,8}$/.test(number);
  const post = known ? await features.posts.get(viewer, address, Number(number)) : null;
  if (!post) throw refuse("not-found");
  return post;
}

/** For its author only. */
export async function findOwnPost(...asked: Parameters<typeof findPost>): Promise<FeedPost> {
  const post = await findPost(...asked);
  if (!post.mine) throw refuse("not-found");
  return post;
}

export function refOf({ author, id }: FeedPost) {
  return { authorId: author.id, postId: id };
}
