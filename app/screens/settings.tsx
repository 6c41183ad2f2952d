import { redirect, useSearchParams } from "react-router";
import { refuse } from "#shared/errors.ts";
import { settingNames } from "#shared/settings.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/settings.json";
import * as shell from "#messages/shell.json";
import { switchesOf } from "#app/features/settings/switches.server.ts";
import { SettingSwitches } from "#app/features/settings/setting-switches.tsx";
import { PrivateSwitch } from "#app/features/settings/private-switch.tsx";
import { readPrivacy } from "#app/features/settings/read-privacy.server.ts";
import { settingsSections } from "#app/features/settings/settings-nav.tsx";
import { SettingsGroup, SettingsRow } from "#app/features/settings/settings-rows.tsx";
import { PostingLanguage } from "#app/features/settings/posting-language.tsx";
import { StorageMeter } from "#app/features/settings/storage-meter.tsx";
import { ThemeSwitch } from "#app/features/settings/theme-switch.tsx";
import { LanguageChoice } from "#app/features/shell/language-choice.tsx";
import { moderation, operator } from "#app/features/shell/navigation-items.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { themeCookie, themeOf } from "#app/lib/page/theme.ts";
import { ownPath, returnParameter } from "#app/lib/return-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { AtIcon, EnvelopeSimpleIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import type { Route } from "./+types/settings";
import { languageCookie } from "#shared/languages.ts";

const UsernameDialog = lazyComponent(
  async () => (await import("#app/features/settings/username-dialog.tsx")).UsernameDialog,
  notifyUnreachable,
);

/** Visitors have a theme; members their private settings, too. */
export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features, theme, timeZone } = context.get(appContext);
  const settings = viewer && (await features.settings.get(viewer));
  const until = settings?.usernameFixedUntil ?? null;
  return {
    theme,
    settings,
    changeableFrom: until === null ? null : formatDate(until, timeZone),
    privacy: viewer && (await readPrivacy(features, viewer)),
    storage: viewer && (await features.storage.of(viewer)),
    unconfirmed: features.verification.mailLeaves && viewer?.emailVerified === false,
  };
}

export const action = formAction(
  {
    [unnamed]: async ({ publicUrl }, { fields }) => {
      const cookie = themeCookie(themeOf(fields["theme"]), publicUrl.startsWith("https:"));
      return redirect("/settings", { headers: { "Set-Cookie": cookie } });
    },
    // A member's goes with them; a visitor's stays in the browser, as the theme does.
    language: async ({ viewer, calls, call, languages, publicUrl }, { fields }) => {
      const to = ownPath(fields[returnParameter]);
      if (viewer) {
        const { language, postingLanguage } = fields;
        const body = { language, postingLanguage };
        await call(calls.settings.changeLanguages, { body });
        return redirect(to);
      }
      const chosen = languages.find(({ tag }) => tag === fields["language"]);
      if (!chosen) throw refuse("input-invalid");
      const cookie = languageCookieOf(chosen.tag, publicUrl.startsWith("https:"));
      return redirect(to, { headers: { "Set-Cookie": cookie } });
    },
    username: form(({ settings }) => settings.changeUsername, {
      restores: ["username"],
      to: "/settings",
    }),
    switches: form(({ settings }) => settings.change, {
      send: ({ fields }) => ({ body: switchesOf(fields, settingNames) }),
      to: "/settings",
    }),
  },
  { named: "change" },
);

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { theme, settings, changeableFrom } = loaderData;
  const named = useSearchParams()[0].get("change");
  return (
    <>
      <ScreenTitle>{shell.settings}</ScreenTitle>
      <div className="grid gap-4 pb-8">
        <ThemeSwitch saved={theme} />
        <LanguageChoice
          className="mx-4 rounded-box border border-line bg-base-100 p-4 md:mx-0"
          saved={settings?.language}
        />
        {settings && <OwnSettings {...loaderData} settings={settings} />}
        {settings && (named === "username" || actionData) ? (
          <UsernameDialog
            settings={settings}
            changeableFrom={changeableFrom}
            returned={actionData}
          />
        ) : null}
        <div className="mt-4">
          <SettingsGroup title={words.about}>
            <SettingsRow
              to="/rules"
              icon={TextAlignLeftIcon}
              label={words.houseRules}
              hint={words.houseRulesHint}
            />
          </SettingsGroup>
        </div>
      </div>
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];
type OwnProps = Loaded & { settings: NonNullable<Loaded["settings"]> };

function OwnSettings({ settings, changeableFrom, privacy, storage, unconfirmed }: OwnProps) {
  return (
    <>
      <div className="mt-4">
        <SettingsGroup title={common.you}>
          <SettingsRow
            to="/settings?change=username"
            icon={AtIcon}
            label={words.username}
            state={<span dir="ltr">{`@${settings.username}`}</span>}
            hint={changeableFrom ? fill(words.changeAgainOn, { day: changeableFrom }) : undefined}
            action={common.change}
          />
          <SettingsRow
            to="/settings/email"
            icon={EnvelopeSimpleIcon}
            label={words.email}
            state={<span dir="ltr">{settings.email}</span>}
            hint={unconfirmed ? words.emailUnconfirmed : undefined}
            action={common.change}
          />
        </SettingsGroup>
      </div>
      <Heading>{words.privacy}</Heading>
      {privacy && <PrivateSwitch now={privacy} />}
      <SettingSwitches under="privacy" saved={settings} submit={common.save} />
      <Heading>{words.reading}</Heading>
      <SettingSwitches under="reading" saved={settings} submit={words.keep} />
      <Heading>{words.posting}</Heading>
      <SettingSwitches under="posting" saved={settings} submit={words.apply} />
      <PostingLanguage saved={settings.postingLanguage} />
      <Heading>{words.yourStorage}</Heading>
      {storage && <StorageMeter storage={storage} />}
      <Sections />
    </>
  );
}

/** Where no list of pages is at the left. */
function Sections() {
  const root = useRootData();
  return (
    <div className="mt-4 lg:hidden">
      <SettingsGroup title={words.yourAccount}>
        {root?.operator && <SettingsRow {...operator} hint={words.operatorHint} />}
        {root?.moderator && <SettingsRow {...moderation} hint={words.moderationHint} />}
        {settingsSections.map((section) => (
          <SettingsRow key={section.to} {...section} />
        ))}
      </SettingsGroup>
    </div>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className="mt-4 -mb-2 px-4 font-semibold md:px-0">{children}</h2>;
}

/** For a year: until another language is chosen in this browser. Only the server reads it. */
function languageCookieOf(tag: string, secure: boolean): string {
  const attributes = `Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure ? "; Secure" : ""}`;
  return `${languageCookie}=${tag}; ${attributes}`;
}
