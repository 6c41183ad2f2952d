import { refuse } from "#shared/errors.ts";
import { isSignInProblem } from "#shared/providers.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { safeReturnPath } from "#app/lib/return-path.ts";
import type { Route } from "./+types/begin-provider";

/**
 * POST provider, returnTo, popup=yes|no, invitation, follow → { attempt, url }, and the cookie that binds
 * the attempt to this browser. With a password the provider is connected to the account of the signed-in
 * member.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, origin, readForm } = context.get(appContext);
  let cookies: string[] = [];
  const answer = await answerJson(async () => {
    const { fields } = await readForm(request);
    const { provider = "", returnTo, popup, password, invitation = null, follow = null } = fields;
    const wanted = {
      provider,
      origin,
      returnTo: safeReturnPath(returnTo),
      inPopup: popup === "yes",
      invitation,
      follow,
      client,
    };
    if (password !== undefined && !viewer) throw refuse("sign-in-required");
    const begun = await (
      viewer && password !== undefined
        ? features.providers.beginConnecting(viewer, { ...wanted, password })
        : features.providers.begin(wanted)
    ).catch((error: unknown) => {
      if (!isSignInProblem(error)) throw error;
      const { code, message } = error;
      return { error: { code, message } };
    });
    if ("error" in begun) return begun;
    ({ cookies } = begun);
    return { attempt: begun.attempt, url: begun.url };
  });
  for (const [name, value] of setCookies(cookies)) answer.headers.append(name, value);
  return answer;
}
