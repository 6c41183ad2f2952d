import type { SuggestedAccount } from "#shared/views.ts";
import { PeopleToFollow } from "#app/features/suggestions/people-to-follow.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** What stands under the field before one types. */
export function BeforeSearching({ people }: { people: SuggestedAccount[] }) {
  if (people.length > 0) return <PeopleToFollow people={people} />;
  return (
    <EmptyState title="Who are you looking for?">
      <p>Search by name, or at least four characters of an email.</p>
    </EmptyState>
  );
}
