import type { Page, PostKind, PostTile, PostView } from "#shared/views.ts";
import * as words from "#messages/feed.json";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostCards } from "#app/features/posts/post-cards.tsx";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useInfiniteList, usePostList } from "#app/lib/lists/use-infinite-list.ts";

type Props = { kind: PostKind; first: Page<PostView>; viewerId: string };

/** A member's bookmarks of one kind, latest first. Give it a `key` per kind. */
export function BookmarkedPosts({ kind, first, viewerId }: Props) {
  const path = `/api/saved/${kind}`;
  return kind === "photos" ? (
    <BookmarkedPhotos first={first} path={path} />
  ) : (
    <BookmarkedTexts first={first} path={path} viewerId={viewerId} />
  );
}

type ListProps = { first: Page<PostView>; path: string };

/** Posts in a grid; one that is unsaved leaves it. */
export function BookmarkedPhotos({ first, path }: ListProps) {
  const list = useInfiniteList(first, path);
  return (
    <>
      <PostGrid tiles={list.items.filter(({ saved }) => saved).map(tileOf)} />
      <ListFoot list={list} label={words.olderPosts} waiting={<GridSkeleton />} />
    </>
  );
}

function BookmarkedTexts({ first, path, viewerId }: ListProps & Pick<Props, "viewerId">) {
  const list = usePostList(first, path);
  return (
    <>
      {/* A card stays after UnSave: Save undoes it. */}
      <div className="mx-auto max-w-column md:pt-4">
        <PostCards list={list} posts={list.items} viewerId={viewerId} />
      </div>
      <ListFoot list={list} label={words.olderPosts} waiting={<PostCardSkeleton />} />
    </>
  );
}

export function tileOf(post: PostView): PostTile {
  const { id, number, author, pictures, caption, likeCount, commentCount, createdAt } = post;
  return {
    id,
    number,
    authorUsername: author.username,
    picture: pictures[0] ?? null,
    pictureCount: pictures.length,
    caption,
    likeCount,
    commentCount,
    createdAt,
    audience: post.audience,
    warning: post.warning,
    sensitive: post.sensitive,
    private: post.private,
  };
}
