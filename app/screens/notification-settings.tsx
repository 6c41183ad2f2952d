import { KindSwitches, settingNames } from "#app/features/notifications/kind-switches.tsx";
import { switchesOf } from "#app/features/settings/switches.server.ts";
import { PushSwitch } from "#app/features/notifications/push-switch.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/notification-settings.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Notification settings") }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const [settings, subscribed] = await orRefusalPage(
    Promise.all([features.notifications.settings(member), features.push.isSubscribed(member)]),
  );
  const { publicKey } = features.push;
  return { settings, mail: features.notifications.mails, push: { publicKey, subscribed } };
}

/** All switches at once, without scripts. */
export const action = formAction({
  [unnamed]: form(({ notifications }) => notifications.changeSettings, {
    send: ({ fields }) => ({ body: switchesOf(fields, settingNames) }),
    to: "/settings/notifications",
  }),
});

export default function NotificationSettings({ loaderData }: Route.ComponentProps) {
  const hydrated = useHydrated();
  return (
    <>
      <BackLink to="/settings" besides>
        Settings
      </BackLink>
      <PageTitle>Notifications</PageTitle>
      <div className="grid gap-4 pb-8">
        <KindSwitches {...loaderData} />
        {/* Without scripts a browser cannot be asked. */}
        {hydrated && <PushSwitch {...loaderData.push} />}
      </div>
    </>
  );
}
