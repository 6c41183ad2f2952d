import type { Page, PostTile } from "#shared/views.ts";
import { olderPosts } from "#messages/feed.json";
import * as words from "#messages/search.json";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { counted, fill, formOf, rich } from "#app/lib/text/messages.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

type Props = {
  /** the query: a # and a tag */
  query: string;
  page: Page<PostTile>;
  /** how many the viewer finds; `more`: at least */
  count: { posts: number; more: boolean };
};

/** The newest posts with a tag, photos and text posts in one grid. Give it a `key` per query. */
export function TaggedPosts({ query, page, count }: Props) {
  const tag = query.trim();
  const list = useInfiniteList(page, `/api/tags/${encodeURIComponent(tag)}/posts`);
  const shown = <bdi className="wrap-anywhere">{tag}</bdi>;
  const compose = (
    <ButtonLink to={`/upload?tag=${encodeURIComponent(tag)}`} className="max-w-full py-2">
      <span className="line-clamp-2">{rich(words.postWith, { tag: shown })}</span>
    </ButtonLink>
  );
  if (list.items.length === 0 && list.nextCursor === null) {
    return (
      <EmptyState title={words.noPosts} action={compose}>
        <p>{rich(words.noPostsWith, { tag: shown })}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <section aria-labelledby="tag">
        <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 px-4 pb-4 md:px-0">
          <div className="min-w-0">
            <h2 id="tag" className="font-wordmark text-3xl">
              {shown}
            </h2>
            <output className="text-sm text-muted">
              {count.more
                ? fill(formOf(words.posts, count.posts), { count: `${count.posts}+` })
                : counted(words.posts, count.posts)}
            </output>
          </div>
          {compose}
        </header>
        <PostGrid tiles={list.items} />
      </section>
      <ListFoot list={list} label={olderPosts} waiting={<GridSkeleton />} />
    </>
  );
}
