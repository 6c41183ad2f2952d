import { Fragment, type ReactNode } from "react";
import type { CommentView, PostView } from "#shared/views.ts";
import { PostCard } from "#app/features/posts/post-card.tsx";
import { foldedHeight } from "#app/lib/lists/card-heights.ts";
import { useVirtualList } from "#app/lib/lists/virtual-list.ts";
import { isFolded, type Folded } from "#app/lib/lists/folded-posts.ts";
import type { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";

type Post = PostView & { comments?: CommentView[] };

type Props = {
  list: Pick<ReturnType<typeof useInfiniteList>, "nextCursor" | "change">;
  /** the shown posts of the list, all of them or some */
  posts: readonly (Post | Folded)[];
  viewerId: string | null;
  /** the first photo of the screen: it is loaded at once */
  firstPhoto?: string;
  /** content before a post of the list, by its id */
  before?: { id: string; content: ReactNode } | null;
};

/** Posts as cards, one below the other. Each run of those far away is one empty element. */
export function PostCards({ list, posts, viewerId, firstPhoto, before }: Props) {
  const { change, nextCursor } = list;
  const ref = useVirtualList(posts, change);
  return (
    <div ref={ref} className="[--card-gap:0px] md:[--card-gap:--spacing(6)]">
      {runsOf(posts, before?.id).map((run, index) => {
        const [first] = run;
        return (
          <Fragment key={isFolded(first) ? `far ${index}` : first.id}>
            {before?.id === first.id && before.content}
            {isFolded(first) ? (
              <FoldedPosts posts={run as Folded[]} />
            ) : (
              <PostCard
                post={first}
                viewerId={viewerId}
                first={first.id === firstPhoto}
                position={posts.indexOf(first) + 1}
                count={nextCursor === null ? posts.length : -1}
              />
            )}
          </Fragment>
        );
      })}
    </div>
  );
}

type Run = [Post | Folded, ...Folded[]];

/** Each card, and the folded ones as runs; a run ends where something is rendered before a post. */
function runsOf(posts: Props["posts"], cutAt: string | undefined): Run[] {
  const runs: Run[] = [];
  for (const post of posts) {
    const run = runs.at(-1);
    if (run && isFolded(post) && isFolded(run[0]) && post.id !== cutAt) run.push(post);
    else runs.push([post]);
  }
  return runs;
}

/** As high as the cards were. Not on the server: the content security policy would refuse the style there. */
function FoldedPosts({ posts }: { posts: readonly Folded[] }) {
  const height = posts.reduce((sum, post) => sum + foldedHeight(post), 0);
  return (
    <div
      data-far={posts.length}
      // If this were a scroll anchor, the browser would lose its position when it changes.
      className="[overflow-anchor:none] print:hidden"
      style={{ height: `calc(${height}px + ${posts.length} * var(--card-gap))` }}
    />
  );
}
