import { useRevalidator } from "react-router";
import { useEffect } from "react";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Page } from "#shared/views.ts";
import * as words from "#messages/feed.json";
import { newPosts } from "#messages/posts.json";
import { useNewerCount } from "#app/features/feed/use-newer-count.ts";
import { PostCardSkeleton } from "#app/features/posts/post-card-skeleton.tsx";
import { PostCards } from "#app/features/posts/post-cards.tsx";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { useHiddenAccounts } from "#app/lib/lists/hidden-accounts.ts";
import { usePostList } from "#app/lib/lists/use-infinite-list.ts";
import { scrollToTop } from "#app/lib/page/scroll-behavior.ts";
import { fill, formOf } from "#app/lib/text/messages.tsx";
import { CheckCircleIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { NewItemsButton } from "#app/ui/new-items-button.tsx";

type Props = {
  first: Page<FeedPost>;
  viewerId: string;
  /** it begins with the newest post there is, not in the middle */
  newest: boolean;
  /** posts up to this id were there when the last visit ended; null: there was none */
  caughtUpTo: string | null;
};

/** The posts of the home page, loading more as one scrolls. */
export function Feed({ first, viewerId, newest, caughtUpTo }: Props) {
  const list = usePostList(first, "/api/feed");
  const hidden = useHiddenAccounts();
  useEdits(list.items);
  const posts = list.items.filter(({ author }) => !hidden.has(author.id));
  const [firstPost] = posts;
  const firstSeen = caughtUpTo === null ? null : posts.find(({ id }) => id <= caughtUpTo);
  const isRead = (id: string) => first.items.some((post) => post.id === id);
  return (
    <>
      {newest && firstPost && <NewPosts firstId={firstPost.id} />}
      <PostCards
        list={list}
        posts={posts}
        viewerId={viewerId}
        firstPhoto={first.items.find(({ pictures }) => pictures.length > 0)?.id}
        before={
          firstSeen && {
            id: firstSeen.id,
            content: <CaughtUp scrolledTo={!isRead(firstSeen.id)} />,
          }
        }
      />
      <ListFoot list={list} label={words.olderPosts} waiting={<PostCardSkeleton />} />
      {list.nextCursor === null && (
        <p className="px-4 py-8 text-center text-muted">
          {firstSeen ? words.everything : words.caughtUp}{" "}
          <Link to="/search" className="link">
            {words.findMorePeople}
          </Link>
        </p>
      )}
    </>
  );
}

/** The end of the last visit: new posts above it, older ones below. */
function CaughtUp({ scrolledTo }: { scrolledTo: boolean }) {
  // The server knows the posts of the page it rendered, not those loaded by scrolling. If this call fails,
  // the line stays here next time, which skips nothing.
  useEffect(() => {
    if (scrolledTo) void sendJson("PUT", "/api/feed/caught-up").catch(() => undefined);
  }, [scrolledTo]);
  return (
    <p className="flex items-center justify-center gap-2 px-4 py-4 text-sm text-muted">
      <CheckCircleIcon className="size-5 text-primary" aria-hidden />
      {words.caughtUpHere}
    </p>
  );
}

/** "3 new posts", over the top of the home feed: a press shows them and scrolls up there. */
function NewPosts({ firstId }: { firstId: string }) {
  const count = useNewerCount(firstId);
  const { revalidate, state } = useRevalidator();

  async function show(): Promise<void> {
    await revalidate();
    scrollToTop();
  }

  return (
    <NewItemsButton
      label={count > 0 ? newPostsText(count) : null}
      pending={state !== "idle"}
      onPress={() => void show()}
    />
  );
}

function newPostsText(count: number): string {
  const shown = count < limits.newerPosts ? count : `${limits.newerPosts}+`;
  return fill(formOf(newPosts, count), { count: shown });
}
