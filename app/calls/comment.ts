import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { addComment, readThread } from "#app/features/comments/thread.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/comment.ts";

/**
 * POST address, number, body, clientKey → { comment, comments, count, clientKey }: the new comment,
 * the list's beginning and count as they are now, and the key of the next comment.
 */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { fields } = await readForm(request);
    const where = { address: fields.address ?? "", number: fields.number ?? "" };
    const comment = await addComment(features, viewer, where, fields);
    const { post, comments } = await readThread(features, viewer, where, null);
    return { comment, comments, count: post.commentCount, clientKey: crypto.randomUUID() };
  });
}
