import type { Page, PostTile } from "#shared/views.ts";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { formatCount } from "#app/lib/text/counts.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

type Props = {
  /** the query: a # and a tag */
  query: string;
  page: Page<PostTile>;
};

/** The newest posts with a tag, photos and text posts in one grid. Give it a `key` per query. */
export function TaggedPosts({ query, page }: Props) {
  const tag = query.trim();
  const list = useInfiniteList(page, `/api/tags/${encodeURIComponent(tag)}/posts`);
  const count = list.items.length;
  const none = count === 0 && list.nextCursor === null;
  return (
    <>
      <output className="sr-only">
        {list.nextCursor ? "Posts found" : `${formatCount(count, "post")} found`}
      </output>
      {none ? (
        <EmptyState title="No posts yet">
          <p>
            Nobody has posted with <bdi className="font-medium wrap-anywhere">{tag}</bdi>. Write it
            in a caption, and your post is the first one here.
          </p>
        </EmptyState>
      ) : (
        <section aria-labelledby="tag">
          <h2 id="tag" className="px-4 pb-4 font-wordmark text-3xl wrap-anywhere md:px-0">
            <bdi>{tag}</bdi>
          </h2>
          <PostGrid tiles={list.items} />
        </section>
      )}
      <ListFoot list={list} label="Older posts" waiting={<GridSkeleton />} />
    </>
  );
}
