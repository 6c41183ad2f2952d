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
  const tab = searchParams.get("tab");
  const [found, posts] = await Promise.all([
    features.profiles.get(viewer, accountId),
    tab === "albums"
      ? readAlbums(features.albums, viewer, accountId, cursor)
      : readPosts(features.posts, viewer, accountId, tab === "texts" ? "texts" : "photos", cursor),
  ]);
  const profile = orNotFound(found);
  return { profile, posts, newest: cursor === null, card: profilePreview(cardContext, profile) };
}

/** One's own, and those that one is in; of others their own. */
async function readAlbums(
  albums: PageContext["features"]["albums"],
  viewer: PageContext["viewer"],
  accountId: string,
  cursor: string | null,
): Promise<ProfilePostsData> {
  const page =
    viewer?.id === accountId
      ? await albums.mine(viewer, cursor)
      : await albums.of(viewer, accountId, cursor);
  return { kind: "albums", page };
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
