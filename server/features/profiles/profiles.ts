import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { findProfile } from "#server/features/profiles/profiles.queries.ts";
import type { ProfileView, Viewer } from "#shared/views.ts";

/** An account's page, as its viewer sees it. */
export function createProfiles({ db }: { db: Database }) {
  async function get(viewer: Viewer | null, accountId: string): Promise<ProfileView | null> {
    return isId(accountId) ? findProfile(db, viewer?.id ?? null, accountId) : null;
  }

  return { get };
}
