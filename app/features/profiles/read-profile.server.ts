import type { PostKind } from "#shared/views.ts";
import type { ProfilePostsData } from "#app/features/profiles/profile-posts.tsx";
import { profilePreview } from "#app/lib/page/link-preview.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";
import { orNotFound } from "#app/lib/refusals.server.ts";

/** The data of a profile screen: the account and the posts of the tab that the address names. */
export async function readProfile(
  {
    viewer,
    features,
    ...cardContext
  }: Pick<PageContext, "viewer" | "features" | "publicUrl" | "site">,
  accountId: string,
  url: string,
) {
  const { searchParams } = new URL(url);
  const cursor = searchParams.get("cursor");
  const kind: PostKind = searchParams.get("tab") === "texts" ? "texts" : "photos";
  const [found, posts] = await Promise.all([
    features.profiles.get(viewer, accountId),
    readPosts(features.posts, viewer, accountId, kind, cursor),
  ]);
  const profile = orNotFound(found);
  return { profile, posts, newest: cursor === null, card: profilePreview(cardContext, profile) };
}

async function readPosts(
  posts: PageContext["features"]["posts"],
  viewer: PageContext["viewer"],
  accountId: string,
  kind: PostKind,
  cursor: string | null,
): Promise<ProfilePostsData> {
  return kind === "photos"
    ? { kind, page: await posts.photosOf(viewer, accountId, cursor) }
    : { kind, page: await posts.textsOf(viewer, accountId, cursor) };
}
