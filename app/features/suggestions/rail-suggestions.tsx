import { useEffect, useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { getJson } from "#app/lib/api-client.ts";

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
  return <SuggestedAccounts accounts={accounts} small />;
}
