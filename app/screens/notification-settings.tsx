import { notifications } from "#messages/shell.json";
import { KindSwitches, settingNames } from "#app/features/notifications/kind-switches.tsx";
import { switchesOf } from "#app/features/settings/switches.server.ts";
import { PushSwitch } from "#app/features/notifications/push-switch.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import type { Route } from "./+types/notification-settings";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [settings, subscribed] = await Promise.all([
    features.notifications.settings(member),
    features.push.isSubscribed(member),
  ]);
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
      <SettingsTitle>{notifications}</SettingsTitle>
      <div className="grid gap-4 pb-8">
        <KindSwitches {...loaderData} />
        {/* Without scripts a browser cannot be asked. */}
        {hydrated && <PushSwitch {...loaderData.push} />}
      </div>
    </>
  );
}
