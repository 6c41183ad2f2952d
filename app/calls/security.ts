import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { changeSecurity } from "#app/features/identity/security/change-security.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/security";

/** POST change=…, with the fields of that form of /settings/security */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    return changeSecurity(features, viewer, (await readForm(request)).fields);
  });
}
