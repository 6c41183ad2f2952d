import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/passkeys.ts";

/**
 * POST step=begin, password: what the browser makes a passkey from, with a cookie that binds it.
 * POST step=add, response, name: keeps the passkey that it made.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, readForm } = context.get(appContext);
  const { passkeys } = features.identity;
  const cookies: string[] = [];
  const answer = await answerJson(async () => {
    if (!viewer) throw refuse("sign-in-required");
    const { fields } = await readForm(request);
    const { step, password = "", response = "", name = "" } = fields;
    if (step === "begin") {
      const begun = await passkeys.begin(viewer, { password });
      cookies.push(...begun.cookies);
      return { options: begun.options };
    }
    if (step !== "add") throw refuse("input-invalid");
    await passkeys.add(viewer, { response, name }, client);
    return { added: true };
  });
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}
