import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/newer.ts";

/** GET ?than={post id} → { count } of the posts that the home feed has above that one */
export function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const than = new URL(request.url).searchParams.get("than") ?? "";
  return answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    return { count: await features.feed.newerCount(viewer, than) };
  });
}
