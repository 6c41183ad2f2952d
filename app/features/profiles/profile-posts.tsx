import type { AlbumTile, Page, PostTile, PostView } from "#shared/views.ts";
import { olderPosts } from "#messages/profile.json";
import { lazyContent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { PostCards } from "#app/features/posts/post-cards.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useInfiniteList, usePostList } from "#app/lib/lists/use-infinite-list.ts";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

export type ProfilePostsData =
  | { kind: "photos"; page: Page<PostTile> }
  | { kind: "texts"; page: Page<PostView> }
  | { kind: "albums"; page: Page<AlbumTile> };

/** Few profiles have any. */
const AlbumTiles = lazyContent(
  async () => (await import("#app/features/albums/album-tiles.tsx")).AlbumTiles,
  notifyUnreachable,
);

type Common = { username: string; viewerId: string | null };
type Props = Common & { posts: ProfilePostsData; own: boolean };

/** The posts of one tab of a profile. */
export function ProfilePosts({ posts, own, ...common }: Props) {
  if (posts.kind === "albums") {
    return <AlbumTiles first={posts.page} username={common.username} own={own} />;
  }
  return posts.kind === "photos" ? (
    <Photos first={posts.page} {...common} />
  ) : (
    <Texts first={posts.page} {...common} />
  );
}

function Photos({ first, username }: Common & { first: Page<PostTile> }) {
  const list = useInfiniteList(first, `/api/accounts/${username}/photos`);
  return (
    <>
      <PostGrid tiles={list.items} />
      <ListFoot list={list} label={olderPosts} waiting={<GridSkeleton />} />
    </>
  );
}

function Texts({ first, username, viewerId }: Common & { first: Page<PostView> }) {
  const list = usePostList(first, `/api/accounts/${username}/texts`);
  return (
    <div className="mx-auto max-w-column md:pt-4">
      <PostCards list={list} posts={list.items} viewerId={viewerId} />
      <ListFoot list={list} label={olderPosts} waiting={<PostCardSkeleton />} />
    </div>
  );
}
