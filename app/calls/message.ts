import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/message.ts";

/**
 * POST senderId, chatId, body, clientKey, picture (a file) → the message; sent again, the same one.
 * `senderId` is who wrote it: somebody else may have signed in in this browser since.
 */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const form = await readForm(request, { maxFiles: 1 });
    const { senderId = viewer.id, chatId = "", body = "", clientKey = null } = form.fields;
    if (senderId !== viewer.id) throw refuse("sign-in-required");
    const picture = form.file("picture");
    return features.chat.send(viewer, chatId, { body, picture, clientKey });
  });
}
