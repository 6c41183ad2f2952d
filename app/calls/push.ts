import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/push";

/** POST intent=subscribe, endpoint, p256dh, auth · or intent=unsubscribe → { subscribed } of this session */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { intent, endpoint = "", p256dh = "", auth = "" } = (await readForm(request)).fields;
    if (intent === "subscribe") return features.push.subscribe(viewer, { endpoint, p256dh, auth });
    if (intent === "unsubscribe") return features.push.unsubscribe(viewer);
    throw refuse("input-invalid");
  });
}
