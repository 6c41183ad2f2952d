import { settingNames, settings, type SettingName, type Switches } from "#shared/settings.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { sendJson } from "#app/lib/forms/post-form.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

type Props = {
  under: NonNullable<(typeof settings)[SettingName]["shown"]>["under"];
  saved: Switches;
  /** what the button says that browsers without scripts have */
  submit: string;
};

/** The switches under one heading: saved at once, or all by one button. */
export function SettingSwitches({ under, saved, submit }: Props) {
  const names = settingNames.filter((name) => settings[name].shown?.under === under);
  return (
    <form
      method="post"
      action="/settings"
      className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0"
    >
      <input type="hidden" name="change" value="switches" />
      <input type="hidden" name="switches" value={names.join(" ")} />
      {names.map((name) => (
        <SettingSwitch key={name} name={name} saved={saved[name]} {...settings[name].shown} />
      ))}
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">{submit}</Button>
        </div>
      </noscript>
    </form>
  );
}

type SwitchProps = { name: SettingName; saved: boolean; label?: string; hint?: string };

function SettingSwitch({ name, saved, label = "", hint = "" }: SwitchProps) {
  const { shown, set } = useSwitch({
    saved,
    label,
    save: (on) => sendJson("POST", "/calls/settings", { [name]: on }),
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
