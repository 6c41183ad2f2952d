import type { ReactNode } from "react";
import type { Page, PostTile, SuggestedAccount } from "#shared/views.ts";
import * as words from "#messages/search.json";
import { PostGrid } from "#app/features/posts/post-grid.tsx";
import { PersonCard } from "#app/features/suggestions/person-card.tsx";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

/** Only the very first member sees it. */
const NoOneElse = lazyComponent(
  async () => (await import("#app/features/first-day/no-one-else.tsx")).NoOneElse,
  notifyUnreachable,
);

type Props = {
  accounts: SuggestedAccount[];
  recent: Page<PostTile> | null;
  /** the viewer is the only member */
  alone: boolean;
};

/** One row, to the edges of a phone's window. The focus ring of a card needs some space. */
const looks = {
  section: "px-4 py-5 md:px-0",
  heading: "pb-3",
  list: "-mx-4 -my-1 flex snap-x snap-mandatory scroll-px-4 gap-2 overflow-x-auto px-4 py-1 md:-mx-1 md:scroll-px-1 md:px-1",
};

/** Shown below the field before one types: recent photos of everybody, and accounts to follow. */
export function SearchSuggestions({ accounts, recent, alone }: Props) {
  if (alone) return <NoOneElse />;
  const people = accounts.length > 0 && (
    <SuggestedAccounts accounts={accounts} Card={PersonCard} looks={looks} hidesRail />
  );
  if (recent?.items.length) return <Explore page={recent} between={people} />;
  return (
    people || (
      <EmptyState drawing="lens" title={words.lookingFor}>
        <p>{words.howToSearch}</p>
      </EmptyState>
    )
  );
}

/** Two rows: on a phone what stands between them and the others is in sight too. */
const firstPhotos = 6;

type ExploreProps = {
  page: Page<PostTile>;
  /** after the first photos */
  between: ReactNode;
};

/** Recent photos of everybody, before one searches; endless. Where there are none, only what is between. */
function Explore({ page, between }: ExploreProps) {
  const list = useInfiniteList(page, "/api/explore");
  if (list.items.length === 0) return between;
  const others = list.items.slice(firstPhotos);
  return (
    <section aria-labelledby="recent-photos">
      <h2 id="recent-photos" className="px-4 pb-3 font-semibold md:px-0">
        {words.recentPhotos}
      </h2>
      {/* As far from one another as the rows of each. */}
      <div className="grid grid-cols-1 gap-0.5 md:gap-1">
        <PostGrid tiles={list.items.slice(0, firstPhotos)} />
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
