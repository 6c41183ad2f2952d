import { useEffect, useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { getJson } from "#app/lib/api-client.ts";

/** As many as stand beside a feed. */
const shown = 4;

/**
 * People to follow beside the page. They are asked for once, when the page is alive: no document waits for
 * them. Without an answer nothing stands there.
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
