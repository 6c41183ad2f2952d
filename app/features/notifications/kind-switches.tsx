import * as words from "#messages/notifications.json";
import { notificationKinds } from "#shared/notification-kinds.ts";
import type { NotificationSettings } from "#shared/notifications.ts";
import { Switches } from "#app/features/settings/switches.tsx";
import { sendJson } from "#app/lib/api-client.ts";

type Name = keyof NotificationSettings;

const labels: Record<Name, { label: string; hint: string }> = {
  follow: { label: words.follows, hint: words.followsHint },
  request: { label: words.followRequests, hint: words.requestsHint },
  accepted: { label: words.acceptedRequests, hint: words.acceptedHint },
  like: { label: words.likes, hint: words.likesHint },
  comment: { label: words.comments, hint: words.commentsHint },
  mention: { label: words.mentions, hint: words.mentionsHint },
  message: { label: words.messages, hint: words.messagesHint },
  alt: { label: words.suggestedDescriptions, hint: words.suggestedHint },
  album: { label: words.albums, hint: words.albumsHint },
  invited: { label: words.albumInvitations, hint: words.albumInvitationsHint },
  digest: { label: words.dailyEmail, hint: words.dailyEmailHint },
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
