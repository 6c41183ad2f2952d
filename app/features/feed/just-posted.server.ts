import type { FeedPost, Page, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = Pick<PageContext["features"], "posts">;

/** The just published post that the address of the home page names, as a list of one. */
export async function justPosted(
  { posts }: Features,
  viewer: Viewer,
  number: string | null,
): Promise<Page<FeedPost> | null> {
  if (number === null || !/^[1-9]\d{0,8}$/.test(number)) return null;
  const post = await posts.justPublished(viewer, Number(number));
  return post && { items: [post], nextCursor: null };
}
