import type { Page, PostTile, SuggestedAccount } from "#shared/views.ts";
import * as words from "#messages/search.json";
import { Explore } from "#app/features/explore/explore.tsx";
import { PersonCard } from "#app/features/suggestions/person-card.tsx";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

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
