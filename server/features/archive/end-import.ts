import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { lockCounters, renewRecent } from "#server/features/posts/index.ts";

/**
 * Ends an import of an account by `end`, and where its importer chose that, shows its newest posts in feeds: both
 * or neither, wherever a server dies. They are found when no other can come any more, in whatever order they came.
 */
export async function endImport(
  db: Database,
  accountId: string,
  end: () => Promise<queries.EndedImport | null>,
): Promise<void> {
  await db.transaction(async () => {
    // First, as a post that is written just now does.
    await lockCounters(db, accountId);
    const ended = await end();
    if (!ended?.showNewest) return;
    await queries.showNewest(db, { accountId, id: ended.id });
    await renewRecent(db, accountId);
  });
}
