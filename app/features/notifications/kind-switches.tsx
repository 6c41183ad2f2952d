import { notificationKinds } from "#shared/notification-kinds.ts";
import type { NotificationSettings } from "#shared/notifications.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { sendJson } from "#app/lib/forms/post-form.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

type Name = keyof NotificationSettings;

const words: Record<Name, { label: string; hint: string }> = {
  follow: { label: "Follows", hint: "Someone follows you." },
  like: { label: "Likes", hint: "Someone likes your post." },
  comment: { label: "Comments", hint: "Someone comments on your post." },
  mention: { label: "Mentions", hint: "Someone mentions you with @." },
  message: { label: "Messages", hint: "Someone messages you." },
  alt: { label: "Suggested alt text", hint: "Someone describes your photo." },
  digest: {
    label: "A daily email",
    hint: "A summary of what you haven't read, at most once a day.",
  },
};

/** The names of the switches of a form, for a submit without scripts. */
export const settingNames: readonly Name[] = [...notificationKinds, "digest"];

type Props = {
  settings: NotificationSettings;
  /** letters leave this installation: the daily email can be chosen */
  mail: boolean;
};

/** What one is told, each saved at once, or all by one button. */
export function KindSwitches({ settings, mail }: Props) {
  const names = settingNames.filter((name) => mail || name !== "digest");
  return (
    <form
      method="post"
      action="/settings/notifications"
      className="mx-4 rounded-box border border-line bg-base-100 md:mx-0"
    >
      <input type="hidden" name="switches" value={names.join(" ")} />
      {names.map((name) => (
        <div key={name} className="not-first-of-type:border-t border-line">
          <KindSwitch name={name} saved={settings[name]} />
        </div>
      ))}
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">Save</Button>
        </div>
      </noscript>
    </form>
  );
}

function KindSwitch({ name, saved }: { name: Name; saved: boolean }) {
  const { label, hint } = words[name];
  const { shown, set } = useSwitch({
    saved,
    label,
    save: (on) => sendJson("PATCH", "/api/notifications/settings", { [name]: on }),
  });
  return (
    <SwitchRow
      name={name}
      value="on"
      label={label}
      hint={hint}
      checked={shown}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}
