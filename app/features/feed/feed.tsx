import type { FeedPost, Page } from "#shared/views.ts";
import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { PostCardSkeleton } from "#app/features/post-card/post-card-skeleton.tsx";
import { PostCard } from "#app/features/post-card/post-card.tsx";
import { useEndlessList } from "#app/lib/use-endless-list.ts";

type Props = { first: Page<FeedPost>; viewerId: string };

/** The posts of the home page, going on as one scrolls. */
export function Feed({ first, viewerId }: Props) {
  const list = useEndlessList(first, "/calls/older/home");
  const firstPhoto = list.items.findIndex(({ pictures }) => pictures.length > 0);
  return (
    <>
      {list.items.map((post, index) => (
        <PostCard key={post.id} post={post} viewerId={viewerId} first={index === firstPhoto} />
      ))}
      <ListFoot
        list={list}
        older={(cursor) => `/?${new URLSearchParams({ cursor })}`}
        label="Older posts"
        waiting={<PostCardSkeleton />}
      />
    </>
  );
}
