import type { OwnSettings } from "#shared/views.ts";
import type { SettingsChange } from "#app/features/settings/change-settings.server.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { postForm } from "#app/lib/forms/post-form.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

type Switch = "showEmail" | "findableByEmail" | "showInExplore";

const change: SettingsChange = "privacy";

type SwitchesProps = { settings: OwnSettings };

/** Who sees the email and who finds the account by it: saved at once, or all by one button. */
export function PrivacySwitches({ settings }: SwitchesProps) {
  return (
    <form
      method="post"
      action="/settings"
      className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0"
    >
      <input type="hidden" name="change" value={change} />
      <input type="hidden" name="switches" value="showEmail findableByEmail showInExplore" />
      <PrivacySwitch
        name="showEmail"
        saved={settings.showEmail}
        label="Show my email"
        hint="On: everyone sees it on your profile. Off: only you see it."
      />
      <PrivacySwitch
        name="findableByEmail"
        saved={settings.findableByEmail}
        label="Let people find me by my email"
        hint="People who search for it, or part of it, see your name and picture."
      />
      <PrivacySwitch
        name="showInExplore"
        saved={settings.showInExplore}
        label="Show my photos to visitors"
        hint="On the front page and in Search. Off: people find them on your profile."
      />
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">Save</Button>
        </div>
      </noscript>
    </form>
  );
}

type Props = { name: Switch; saved: boolean; label: string; hint: string };

function PrivacySwitch({ name, saved, label, hint }: Props) {
  const { shown, set } = useSwitch({
    saved,
    label,
    save: (on) => postForm("/calls/settings", { change, [name]: on ? "on" : "off" }),
  });
  return (
    <div className="-mb-px border-b border-line">
      <SwitchRow
        name={name}
        value="on"
        label={label}
        hint={hint}
        checked={shown}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </div>
  );
}
