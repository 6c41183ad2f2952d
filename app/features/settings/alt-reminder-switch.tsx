import type { SettingsChange } from "#app/features/settings/change-settings.server.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { postForm } from "#app/lib/forms/post-form.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

const change: SettingsChange = "posting";
const label = "Remind me to describe photos";

/** Whether the composer asks before photos go out without a description. */
export function AltReminderSwitch({ saved }: { saved: boolean }) {
  const { shown, set } = useSwitch({
    saved,
    label,
    save: (on) => postForm("/calls/settings", { change, altReminder: on ? "on" : "off" }),
  });
  return (
    <form
      method="post"
      action="/settings"
      className="mx-4 rounded-box border border-line bg-base-100 md:mx-0"
    >
      <input type="hidden" name="change" value={change} />
      <SwitchRow
        name="altReminder"
        value="on"
        label={label}
        hint="Before you post a photo without a description for people who can't see it."
        checked={shown}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">Apply</Button>
        </div>
      </noscript>
    </form>
  );
}
