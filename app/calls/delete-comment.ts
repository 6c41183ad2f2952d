import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { findPost, refOf } from "#app/features/comments/thread.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/delete-comment.ts";

/** POST address, number, commentId → { count } of the comments that are left */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { address = "", number = "", commentId = "" } = (await readForm(request)).fields;
    const where = { address, number };
    const post = await findPost(features, viewer, where);
    await features.comments.remove(viewer, refOf(post), commentId);
    return { count: (await findPost(features, viewer, where)).commentCount };
  });
}
