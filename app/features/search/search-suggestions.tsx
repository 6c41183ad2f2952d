import type { Page, PostTile, SuggestedAccount } from "#shared/views.ts";
import { Explore } from "#app/features/explore/explore.tsx";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

type Props = { accounts: SuggestedAccount[]; recent: Page<PostTile> | null };

/** Shown below the field before one types: accounts, and recent photos of everybody. */
export function SearchSuggestions({ accounts, recent }: Props) {
  return (
    <>
      {accounts.length > 0 && <SuggestedAccounts accounts={accounts} />}
      {accounts.length === 0 && !recent?.items.length && (
        <EmptyState drawing="lens" title="Who are you looking for?">
          <p>Search by name, or at least four characters of an email.</p>
        </EmptyState>
      )}
      {recent && <Explore first={recent} />}
    </>
  );
}
