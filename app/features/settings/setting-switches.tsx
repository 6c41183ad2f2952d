import {
  settingNames,
  settings,
  type SettingName,
  type Switches as Saved,
} from "#shared/settings.ts";
import * as words from "#messages/settings.json";
import { Switches } from "#app/features/settings/switches.tsx";
import { sendJson } from "#app/lib/api-client.ts";

/** Their words, for each that has a switch here. */
const labels = {
  showEmail: { label: words.showEmail, hint: words.showEmailHint },
  findableByEmail: { label: words.findableByEmail, hint: words.findableByEmailHint },
  showInExplore: { label: words.showInExplore, hint: words.showInExploreHint },
  showVeiled: { label: words.showVeiled, hint: words.showVeiledHint },
  altReminder: { label: words.altReminder, hint: words.altReminderHint },
  showCamera: null,
} satisfies Record<SettingName, { label: string; hint: string } | null>;

type Props = {
  under: NonNullable<(typeof settings)[SettingName]["under"]>;
  saved: Saved;
  /** the button's label, for browsers without scripts */
  submit: string;
};

/** The switches below one heading. */
export function SettingSwitches({ under, saved, submit }: Props) {
  const switches = settingNames.flatMap((name) => {
    const shown = settings[name].under === under && labels[name];
    return shown ? [{ name, ...shown, saved: saved[name] }] : [];
  });
  return (
    <Switches
      action="/settings"
      submit={submit}
      switches={switches}
      save={(name, on) => sendJson("POST", "/calls/settings", { [name]: on })}
    >
      <input type="hidden" name="change" value="switches" />
    </Switches>
  );
}
