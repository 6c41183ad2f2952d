import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/like.ts";

/** POST authorId, postId, intent=like|unlike → { liked, likeCount } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { authorId = "", postId = "", intent } = (await readForm(request)).fields;
    if (intent === "like") return features.likes.like(viewer, { authorId, postId });
    if (intent === "unlike") return features.likes.unlike(viewer, { authorId, postId });
    throw refuse("input-invalid");
  });
}
