import type { Page, PostTile, SuggestedAccount } from "#shared/views.ts";
import { Explore } from "#app/features/explore/explore.tsx";
import { PeopleToFollow } from "#app/features/suggestions/people-to-follow.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

type Props = { people: SuggestedAccount[]; recent: Page<PostTile> | null };

/** What stands under the field before one types: people, and recent photos of everybody. */
export function BeforeSearching({ people, recent }: Props) {
  return (
    <>
      {people.length > 0 && <PeopleToFollow people={people} />}
      {people.length === 0 && !recent?.items.length && (
        <EmptyState drawing="lens" title="Who are you looking for?">
          <p>Search by name, or at least four characters of an email.</p>
        </EmptyState>
      )}
      {recent && <Explore first={recent} />}
    </>
  );
}
