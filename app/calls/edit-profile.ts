import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { saveProfile } from "#app/features/profiles/save-profile.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/edit-profile.ts";

/** POST the fields of a profile (shared/profiles.ts), imageId → { matchedCount } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { fields } = await readForm(request);
    return saveProfile(features, viewer, fields, fields.imageId ?? "");
  });
}
