import { limits } from "#shared/limits.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = Pick<PageContext["features"], "posts">;

/**
 * The post that the address of the home page says was just published. It is named by its number
 * alone, which is counted per author: whatever the address says, it can name no post of anybody
 * else. Kept as a bookmark it shows nothing new after a day.
 */
export async function justPosted(
  features: Features,
  viewer: Viewer,
  number: string | null,
): Promise<Page<FeedPost> | null> {
  if (number === null || !/^[1-9]\d{0,8}$/.test(number)) return null;
  const post = await features.posts.get(viewer, viewer.username, Number(number));
  if (!post?.mine || post.imported) return null;
  const recent = Date.now() - post.createdAt < limits.justPostedHours * 3_600_000;
  return recent ? { items: [post], nextCursor: null } : null;
}
