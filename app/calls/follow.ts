import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/follow.ts";

/** POST accountId, intent=follow|unfollow → { following, counts } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { accountId = "", intent } = (await readForm(request)).fields;
    if (intent === "follow") return features.follows.follow(viewer, accountId);
    if (intent === "unfollow") return features.follows.unfollow(viewer, accountId);
    throw refuse("input-invalid");
  });
}
