import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/forgot-password.ts";

/** POST email: the answer is the same for every address. */
export function action({ request, context }: Route.ActionArgs) {
  const { features, client, readForm } = context.get(appContext);
  return answerJson(async () => {
    const { email = "" } = (await readForm(request)).fields;
    await features.verification.requestReset({ email, client });
    return { asked: true };
  });
}
