import { useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import * as words from "#messages/search.json";
import { isGone, sendJson, errorMessage } from "#app/lib/api-client.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";

/** The remaining suggestions: a dismissed one disappears at once, and comes back when that was not saved. */
export function useDismissals(suggested: SuggestedAccount[]) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());

  async function dismiss({ id, name }: SuggestedAccount): Promise<void> {
    setDismissed((before) => new Set(before).add(id));
    try {
      await sendJson("DELETE", `/api/suggestions/${id}`);
    } catch (error) {
      if (isGone(error)) return;
      setDismissed((before) => new Set([...before].filter((each) => each !== id)));
      notify.error(fill(words.notDismissed, { name, problem: errorMessage(error) }));
    }
  }

  return { left: suggested.filter(({ id }) => !dismissed.has(id)), dismiss };
}
