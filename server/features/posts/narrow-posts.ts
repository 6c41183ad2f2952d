import type { Database } from "#server/platform/db/database.ts";
import { isPrivate } from "#server/features/posts/post-writes.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { Audience } from "#shared/posts.ts";

type Deps = { db: Database; narrow?: boolean };

/**
 * Refuses with audience-not-offered a post that is, by itself or by its author's account, for fewer than
 * everyone, where that is not possible.
 */
export async function refuseNarrow(
  { db, narrow = true }: Deps,
  accountId: string,
  audience: Audience,
): Promise<void> {
  if (narrow) return;
  if (audience !== "everyone" || (await isPrivate(db, accountId)))
    throw refuse("audience-not-offered");
}
