import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/save.ts";

/** POST authorId, postId, intent=save|unsave → { saved } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { authorId = "", postId = "", intent } = (await readForm(request)).fields;
    if (intent === "save") return features.bookmarks.save(viewer, { authorId, postId });
    if (intent === "unsave") return features.bookmarks.unsave(viewer, { authorId, postId });
    throw refuse("input-invalid");
  });
}
