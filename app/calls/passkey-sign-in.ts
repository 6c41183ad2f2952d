import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/passkey-sign-in.ts";

/**
 * POST step=begin: what the browser asks its passkeys with, and a cookie that binds it.
 * POST step=sign-in, response: a session, for what a passkey answered; or where to go without one.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { features, client, readForm } = context.get(appContext);
  const { passkeys } = features.identity;
  const cookies: string[] = [];
  const answer = await answerJson(async () => {
    const { step, response = "" } = (await readForm(request)).fields;
    if (step === "begin") {
      const begun = await passkeys.signInOptions(client);
      cookies.push(...begun.cookies);
      return { options: begun.options };
    }
    if (step !== "sign-in") throw refuse("input-invalid");
    const entered = await passkeys.signIn({ response }, client);
    cookies.push(...entered.cookies);
    if (entered.viewer) return { to: null };
    return { to: "suspended" in entered ? "/suspended" : "/keepAccount" };
  });
  for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
  return answer;
}
