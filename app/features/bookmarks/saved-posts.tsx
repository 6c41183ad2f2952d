import type { Page, PostKind, PostTile, PostView } from "#shared/views.ts";
import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { PostCard } from "#app/features/posts/post-card.tsx";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useEndlessList } from "#app/lib/lists/use-endless-list.ts";

type Props = { kind: PostKind; first: Page<PostView>; viewerId: string };

/** What a member saved of one kind, latest saved first. Give it a `key` per kind. */
export function SavedPosts({ kind, first, viewerId }: Props) {
  const list = useEndlessList(first, `/api/saved/${kind}`);
  return (
    <>
      {kind === "photos" ? (
        <PostGrid tiles={list.items.filter(({ saved }) => saved).map(tileOf)} />
      ) : (
        // A card stays where it is after UnSave: Save takes it back.
        <div className="mx-auto max-w-column md:pt-4">
          {list.items.map((post) => (
            <PostCard key={post.id} post={post} viewerId={viewerId} />
          ))}
        </div>
      )}
      <ListFoot
        list={list}
        older={(cursor) => `?${new URLSearchParams({ tab: kind, cursor })}`}
        label="Older posts"
        waiting={kind === "photos" ? <GridSkeleton /> : <PostCardSkeleton />}
      />
    </>
  );
}

function tileOf(post: PostView): PostTile {
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
  };
}
