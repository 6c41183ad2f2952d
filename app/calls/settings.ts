import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { changeSettings } from "#app/features/settings/change-settings.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/settings.ts";

/** POST change=username, username · change=switches, and any of `settings` (shared/settings.ts) as on|off */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    await changeSettings(features, viewer, (await readForm(request)).fields);
    return { saved: true };
  });
}
