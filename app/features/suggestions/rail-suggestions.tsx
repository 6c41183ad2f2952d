import { useEffect, useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import {
  SuggestedAccounts,
  type CardProps,
} from "#app/features/suggestions/suggested-accounts.tsx";
import { SuggestionCard } from "#app/features/suggestions/suggestion-card.tsx";
import { getJson } from "#app/lib/api-client.ts";

const SmallCard = (props: CardProps) => <SuggestionCard {...props} small />;

/** In a box of its own. */
const looks = { section: "card px-4 pt-3 pb-1", heading: "", list: "" };

/** As many as fit beside a feed. */
const shown = 4;

/**
 * Accounts to follow beside the page. Read once, after hydration: no document waits for them. Without an
 * answer nothing is shown.
 */
export function RailSuggestions() {
  const [accounts, setAccounts] = useState<SuggestedAccount[]>([]);
  useEffect(() => {
    getJson<{ items: SuggestedAccount[] }>(`/api/suggestions?limit=${shown}`).then(
      ({ items }) => setAccounts(items),
      () => undefined,
    );
  }, []);
  return <SuggestedAccounts accounts={accounts} Card={SmallCard} looks={looks} />;
}
