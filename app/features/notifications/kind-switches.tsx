import { notificationKinds } from "#shared/notification-kinds.ts";
import type { NotificationSettings } from "#shared/notifications.ts";
import { Switches } from "#app/features/settings/switches.tsx";
import { sendJson } from "#app/lib/api-client.ts";

type Name = keyof NotificationSettings;

const labels: Record<Name, { label: string; hint: string }> = {
  follow: { label: "Follows", hint: "Someone follows you." },
  request: { label: "Follow requests", hint: "Someone asks to follow you." },
  accepted: { label: "Accepted requests", hint: "Someone lets you follow them." },
  like: { label: "Likes", hint: "Someone likes your post or comment." },
  comment: { label: "Comments", hint: "Someone comments on your post or replies to you." },
  mention: { label: "Mentions", hint: "Someone mentions you with @." },
  message: { label: "Messages", hint: "Someone messages you." },
  alt: { label: "Suggested descriptions", hint: "Someone describes your photo." },
  album: { label: "Albums", hint: "Someone adds photos to an album you're in." },
  invited: { label: "Album invitations", hint: "Someone invites you to an album." },
  digest: {
    label: "A daily email",
    hint: "A summary of what you haven't read, at most once a day.",
  },
};

/** The names of the switches of a form, for a submit without scripts. */
export const settingNames: readonly Name[] = [...notificationKinds, "digest"];

type Props = {
  settings: NotificationSettings;
  /** the server sends mail itself: the daily email can be chosen */
  mail: boolean;
};

/** The kinds of notifications. */
export function KindSwitches({ settings, mail }: Props) {
  const names = settingNames.filter((name) => mail || name !== "digest");
  return (
    <Switches
      action="/settings/notifications"
      switches={names.map((name) => ({ name, ...labels[name], saved: settings[name] }))}
      save={(name, on) => sendJson("PATCH", "/api/notifications/settings", { [name]: on })}
    />
  );
}
