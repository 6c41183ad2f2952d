import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/messages.ts";

/**
 * GET ?of={conversation id}&before={number} or &after={number} → { messages, more, otherReadSeq }:
 * what stands on that side of a message, oldest first, and up to where the other one has read.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const of = query.get("of") ?? "";
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { otherReadSeq } = await features.chat.marks(viewer, of);
    const page = query.has("before")
      ? await features.chat.before(viewer, of, Number(query.get("before")))
      : await features.chat.since(viewer, of, Number(query.get("after")));
    return { ...page, otherReadSeq };
  });
}
