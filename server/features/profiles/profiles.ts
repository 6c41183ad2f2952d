import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { findProfile, setBio } from "#server/features/profiles/profiles.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { cleanText, lengthProblem } from "#shared/text.ts";
import type { ProfileView, Viewer } from "#shared/views.ts";

/** An account's page, as its viewer sees it. */
export function createProfiles({ db }: { db: Database }) {
  async function get(viewer: Viewer | null, accountId: string): Promise<ProfileView | null> {
    return isId(accountId) ? findProfile(db, viewer?.id ?? null, accountId) : null;
  }

  /** Replaces what the viewer says about themselves; longer than 500 characters is refused. */
  async function describe(viewer: Viewer, bio: string): Promise<void> {
    const text = cleanText(bio);
    const problem = lengthProblem("A bio", text, { graphemes: limits.bio, bytes: 16_000 });
    if (problem) throw refuse("input-invalid", { fields: { bio: problem } });
    await setBio(db, viewer.id, text);
  }

  return { get, describe };
}
