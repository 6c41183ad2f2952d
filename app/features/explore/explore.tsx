import type { ReactNode } from "react";
import type { Page, PostTile } from "#shared/views.ts";
import * as words from "#messages/search.json";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

/** Two rows: on a phone what stands between them and the others is in sight too. */
const first = 6;

type Props = {
  page: Page<PostTile>;
  /** after the first photos */
  between: ReactNode;
};

/** Recent photos of everybody, before one searches; endless. Where there are none, only what is between. */
export function Explore({ page, between }: Props) {
  const list = useInfiniteList(page, "/api/explore");
  if (list.items.length === 0) return between;
  const others = list.items.slice(first);
  return (
    <section aria-labelledby="recent-photos">
      <h2 id="recent-photos" className="px-4 pb-3 font-semibold md:px-0">
        {words.recentPhotos}
      </h2>
      {/* As far from one another as the rows of each. */}
      <div className="grid grid-cols-1 gap-0.5 md:gap-1">
        <PostGrid tiles={list.items.slice(0, first)} />
        {between}
        {others.length > 0 && <PostGrid tiles={others} leads={false} />}
      </div>
      <ListFoot
        list={list}
        parameter="explore"
        label={words.olderPhotos}
        waiting={<GridSkeleton />}
      />
    </section>
  );
}
