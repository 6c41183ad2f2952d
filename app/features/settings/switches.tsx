import type { ReactNode } from "react";
import * as common from "#messages/common.json";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

type Switch<Name> = { name: Name; label: string; hint: string; saved: boolean };
type Save<Name> = { save: (name: Name, on: boolean) => Promise<unknown> };

type Props<Name> = Save<Name> & {
  /** where all of them are saved by one button, in browsers without scripts */
  action: string;
  /** that button's label */
  submit?: string;
  switches: readonly Switch<Name>[];
  /** further hidden fields of its form */
  children?: ReactNode;
};

/** A group of switches: each saved at once, or all by one button. */
export function Switches<Name extends string>(props: Props<Name>) {
  const { action, submit = common.save, switches, save, children } = props;
  return (
    <form
      method="post"
      action={action}
      className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0"
    >
      {children}
      <input type="hidden" name="switches" value={switches.map(({ name }) => name).join(" ")} />
      {switches.map((one) => (
        <SavedSwitch key={one.name} {...one} save={save} />
      ))}
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">{submit}</Button>
        </div>
      </noscript>
    </form>
  );
}

function SavedSwitch<Name extends string>({
  name,
  label,
  hint,
  saved,
  save,
}: Switch<Name> & Save<Name>) {
  const { shown, set } = useSwitch({ saved, label, save: (on) => save(name, on) });
  return (
    // The last line hides under the card's edge.
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
