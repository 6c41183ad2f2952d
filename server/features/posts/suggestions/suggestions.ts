import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/posts/suggestions/suggestions.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { SuggestedAccount, Viewer } from "#shared/views.ts";

/** People to follow, and people whom a member does not want suggested again. */
export function createSuggestions({ db, newId = freshId }: { db: Database; newId?: NewId }) {
  /** The best first, `limits.suggestions` at most. */
  async function list(
    viewer: Viewer,
    limit: number = limits.suggestions,
  ): Promise<SuggestedAccount[]> {
    return queries.suggestedAccounts(db, { viewerId: viewer.id, limit });
  }

  /** Until the member follows them. Repeating it changes nothing. */
  async function dismiss(viewer: Viewer, accountId: string): Promise<void> {
    if (!isId(accountId)) throw refuse("not-found");
    const most = limits.dismissedSuggestions;
    const row = { viewerId: viewer.id, otherId: accountId, id: newId(), most };
    if (!(await queries.insertDismissed(db, row))) throw refuse("not-found");
  }

  return { list, dismiss };
}
