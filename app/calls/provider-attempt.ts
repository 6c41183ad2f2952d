import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/provider-attempt.ts";

/** GET ?id={attempt} → how far a sign-in at a provider is, for the browser that began it */
export function loader({ request, context }: Route.LoaderArgs) {
  const { features, client } = context.get(appContext);
  const id = new URL(request.url).searchParams.get("id") ?? "";
  return answerJson(() => features.providers.stateOf(id, client.cookieHeader));
}
