import {
  settingNames,
  settings,
  type SettingName,
  type Switches as Saved,
} from "#shared/settings.ts";
import { Switches } from "#app/features/settings/switches.tsx";
import { sendJson } from "#app/lib/api-client.ts";

type Props = {
  under: NonNullable<(typeof settings)[SettingName]["shown"]>["under"];
  saved: Saved;
  /** the button's label, for browsers without scripts */
  submit: string;
};

/** The switches below one heading. */
export function SettingSwitches({ under, saved, submit }: Props) {
  const switches = settingNames.flatMap((name) => {
    const { shown } = settings[name];
    return shown?.under === under ? [{ name, ...shown, saved: saved[name] }] : [];
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
