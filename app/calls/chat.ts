import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/chat.ts";

/** POST conversationId, intent=read|delete|typing|mute|unmute, seq (of read and delete) → {}; typing also
 * takes a chatId, where no conversation has begun */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { chat } = features;
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { conversationId = "", intent, seq } = (await readForm(request)).fields;
    switch (intent) {
      case "read":
        await chat.markRead(viewer, conversationId, Number(seq));
        break;
      case "delete":
        await chat.removeMessage(viewer, conversationId, Number(seq));
        break;
      case "typing":
        await chat.typing(viewer, conversationId);
        break;
      case "mute":
      case "unmute":
        await chat.mute(viewer, conversationId, intent === "mute");
        break;
      default:
        throw refuse("input-invalid");
    }
    return {};
  });
}
