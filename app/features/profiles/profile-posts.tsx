import type { Page, PostTile, PostView } from "#shared/views.ts";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { PostCards } from "#app/features/posts/post-cards.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useInfiniteList, usePostList } from "#app/lib/lists/use-infinite-list.ts";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

export type ProfilePostsData =
  { kind: "photos"; page: Page<PostTile> } | { kind: "texts"; page: Page<PostView> };

type Common = { username: string; viewerId: string | null };

/** The posts of one tab of a profile. */
export function ProfilePosts({ posts, ...common }: Common & { posts: ProfilePostsData }) {
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
      <ListFoot list={list} label="Older posts" waiting={<GridSkeleton />} />
    </>
  );
}

function Texts({ first, username, viewerId }: Common & { first: Page<PostView> }) {
  const list = usePostList(first, `/api/accounts/${username}/texts`);
  return (
    <div className="mx-auto max-w-column md:pt-4">
      <PostCards list={list} posts={list.items} viewerId={viewerId} />
      <ListFoot list={list} label="Older posts" waiting={<PostCardSkeleton />} />
    </div>
  );
}
