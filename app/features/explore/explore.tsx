import type { Page, PostTile } from "#shared/views.ts";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

/** Recent photos of everybody, before one searches; endless. Nothing where there are none. */
export function Explore({ first }: { first: Page<PostTile> }) {
  const list = useInfiniteList(first, "/api/explore");
  if (list.items.length === 0) return null;
  return (
    <section aria-labelledby="recent-photos" className="pt-4">
      <h2 id="recent-photos" className="px-4 pb-3 font-semibold md:px-0">
        Recent photos
      </h2>
      <PostGrid tiles={list.items} />
      <ListFoot list={list} parameter="explore" label="Older photos" waiting={<GridSkeleton />} />
    </section>
  );
}
