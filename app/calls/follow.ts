import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/follow.ts";

/** POST accountId, wish=follow|unfollow → { following, counts } */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { accountId = "", wish } = (await readForm(request)).fields;
    if (wish === "follow") return features.follows.follow(viewer, accountId);
    if (wish === "unfollow") return features.follows.unfollow(viewer, accountId);
    throw refuse("input-invalid");
  });
}
