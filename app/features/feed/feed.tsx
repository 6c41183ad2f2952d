import { Fragment } from "react";
import { Link } from "react-router";
import type { FeedPost, Page } from "#shared/views.ts";
import { CaughtUp } from "#app/features/feed/caught-up.tsx";
import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { NewPosts } from "#app/features/feed/new-posts.tsx";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { PostCard } from "#app/features/posts/post-card.tsx";
import { useHiddenAccounts } from "#app/lib/lists/hidden-accounts.ts";
import { useEndlessList } from "#app/lib/lists/use-endless-list.ts";

type Props = {
  first: Page<FeedPost>;
  viewerId: string;
  /** it begins with the newest post there is, not somewhere in the middle */
  newest: boolean;
  /** posts up to this id were there when the last visit ended; null: there was none */
  caughtUpTo: string | null;
};

/** The posts of the home page, going on as one scrolls. */
export function Feed({ first, viewerId, newest, caughtUpTo }: Props) {
  const list = useEndlessList(first, "/api/feed");
  const hidden = useHiddenAccounts();
  useEdits(list.items);
  const posts = list.items.filter(({ author }) => !hidden.has(author.id));
  const [firstPost] = posts;
  const firstSeen = caughtUpTo === null ? null : posts.find(({ id }) => id <= caughtUpTo);
  const firstPhoto = posts.findIndex(({ pictures }) => pictures.length > 0);
  return (
    <>
      {newest && firstPost && <NewPosts firstId={firstPost.id} />}
      {posts.map((post, index) => (
        <Fragment key={post.id}>
          {post === firstSeen && <CaughtUp scrolledTo={!first.items.includes(post)} />}
          <PostCard post={post} viewerId={viewerId} first={index === firstPhoto} />
        </Fragment>
      ))}
      <ListFoot
        list={list}
        older={(cursor) => `/?${new URLSearchParams({ cursor })}`}
        label="Older posts"
        waiting={<PostCardSkeleton />}
      />
      {list.nextCursor === null && (
        <p className="px-4 py-8 text-center text-muted">
          {firstSeen ? "That's everything." : "You're all caught up."}{" "}
          <Link to="/search" className="link">
            Find more people
          </Link>
        </p>
      )}
    </>
  );
}
