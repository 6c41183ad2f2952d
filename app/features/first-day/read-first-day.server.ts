import type { PageContext } from "#app/lib/context.server.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

/**
 * What the card of the first days shows; null where at least three people are members. A feed with posts of two
 * others shows that there are, without a question.
 */
export async function readFirstDay(
  { firstDay, identity }: PageContext["features"],
  viewer: Viewer,
  posts: readonly FeedPost[],
) {
  if (new Set(posts.map(({ author }) => author.id)).size > 1) return null;
  const day = await firstDay(viewer);
  if (!day) return null;
  const asksPassword = day.place !== null && (await identity.confirmation.asksPassword(viewer));
  return { ...day, asksPassword };
}
