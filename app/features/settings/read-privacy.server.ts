import type { Viewer } from "#shared/views.ts";
import type { PrivacyNow } from "#app/features/settings/private-account.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = Pick<PageContext["features"], "privacy" | "followRequests">;

/** Whether a member's account is private, and what a change of that would do. */
export async function readPrivacy(features: Features, member: Viewer): Promise<PrivacyNow> {
  const [privacy, waiting] = await Promise.all([
    features.privacy.get(member),
    features.followRequests.count(member),
  ]);
  return { ...privacy, waiting };
}
