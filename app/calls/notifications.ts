import { refuse } from "#shared/errors.ts";
import { settingNames } from "#app/features/notifications/kind-switches.tsx";
import { answerJson } from "#app/calls/answer-json.ts";
import { switchesOf } from "#app/features/notifications/switches.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/notifications.ts";

/** POST intent=read-all → { unread } · or intent=settings, like=on|off … → the settings */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { fields } = await readForm(request);
    if (fields["intent"] === "read-all") return features.notifications.markAllRead(viewer);
    if (fields["intent"] !== "settings") throw refuse("input-invalid");
    return features.notifications.changeSettings(viewer, switchesOf(fields, settingNames));
  });
}
