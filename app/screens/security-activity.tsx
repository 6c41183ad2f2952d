import * as words from "#messages/security.json";
import * as settings from "#messages/settings.json";
import { ActivityList } from "#app/features/identity/security/activity-list.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/security-activity";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const before = new URL(request.url).searchParams.get("before");
  const page = await features.identity.activity.list(member, before);
  return { page, older: before !== null };
}

export default function SecurityActivity({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <BackLink to="/settings/security">{settings.security}</BackLink>
      <ScreenTitle>{words.recentActivity}</ScreenTitle>
      <ActivityList {...loaderData} />
    </>
  );
}
