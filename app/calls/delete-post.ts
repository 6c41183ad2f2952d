import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/delete-post.ts";

/** POST address, number → {} */
export function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { address = "", number = "" } = (await readForm(request)).fields;
    await features.posts.remove(viewer, address, Number(number));
    return {};
  });
}
