import { data, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { AltReminderSwitch } from "#app/features/settings/alt-reminder-switch.tsx";
import { changeSettings } from "#app/features/settings/change-settings.server.ts";
import { PrivacySwitches } from "#app/features/settings/privacy-switches.tsx";
import { SettingsLink } from "#app/features/settings/settings-link.tsx";
import { StorageMeter } from "#app/features/settings/storage-meter.tsx";
import { ThemeSwitch } from "#app/features/settings/theme-switch.tsx";
import { UsernameForm } from "#app/features/settings/username-form.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { orRefusalPage, refusalPage } from "#app/lib/refusals.server.ts";
import { themeCookie, themeOf } from "#app/lib/page/theme.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { BellIcon, FolderIcon, LockKeyIcon, UserIcon } from "#app/ui/icons.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/settings.ts";

export const meta: Route.MetaFunction = () => [{ title: "Settings · Postcard" }, about];

/** Visitors have a theme; members what is theirs alone, too. */
export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features, theme, timeZone } = context.get(appContext);
  const settings = viewer && (await orRefusalPage(features.settings.get(viewer)));
  const until = settings?.usernameFixedUntil ?? null;
  return {
    theme,
    settings,
    changeableFrom: until === null ? null : dateInWords(until, timeZone),
    storage: viewer && (await features.storage.of(viewer)),
    unconfirmed: features.verification.mailLeaves && viewer?.emailVerified === false,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm, publicUrl } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  if (!fields["change"]) {
    const cookie = themeCookie(themeOf(fields["theme"]), publicUrl.startsWith("https:"));
    return redirect("/settings", { headers: { "Set-Cookie": cookie } });
  }
  if (!viewer) throw refusalPage(refuse("sign-in-required"));
  try {
    await changeSettings(features, viewer, fields);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status, fields: wrong } = error;
    const username = fields["username"] ?? "";
    return data({ username, fields: wrong ?? { username: message } }, { status });
  }
  return redirect("/settings");
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { theme, settings, changeableFrom, storage, unconfirmed } = loaderData;
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <div className="grid gap-4 pb-8">
        <ThemeSwitch saved={theme} />
        {settings && storage && (
          <>
            <Heading>Username</Heading>
            <UsernameForm
              settings={settings}
              changeableFrom={changeableFrom}
              returned={actionData}
            />
            <Heading>Email and privacy</Heading>
            <PrivacySwitches settings={settings} unconfirmed={unconfirmed} />
            <Heading>Posting</Heading>
            <AltReminderSwitch saved={settings.altReminder} />
            <Heading>Your storage</Heading>
            <StorageMeter storage={storage} />
            <Heading>Your account</Heading>
            <SettingsLink
              to="/settings/security"
              icon={LockKeyIcon}
              label="Security"
              hint="Password, two-step sign-in, passkeys, where you're signed in, and recent activity."
            />
            <SettingsLink
              to="/settings/notifications"
              icon={BellIcon}
              label="Notifications"
              hint="Follows, likes, comments, mentions and messages."
            />
            <SettingsLink
              to="/settings/blocked"
              icon={UserIcon}
              label="Blocked and muted"
              hint="People who can't see you, and people you don't want in your feed."
            />
            <SettingsLink
              to="/settings/data"
              icon={FolderIcon}
              label="Your data"
              hint="Export and import, or delete your account."
            />
          </>
        )}
      </div>
    </>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className="mt-4 px-4 font-semibold md:px-0">{children}</h2>;
}
