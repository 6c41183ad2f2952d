import { redirect } from "react-router";
import type { SignInOutcome, SignInProblemCode } from "#shared/providers.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { signInProblemPath } from "#app/lib/sign-up-context.ts";
import { withParameter, withProblem } from "#app/lib/provider-paths.ts";
import { withReturn } from "#app/lib/return-path.ts";
import type { Route } from "./+types/provider-return";

/**
 * Where providers send people back to. Always redirects: the code and the state must leave the address, the
 * history and what a reload would send again.
 */
export async function loader({ request, params: { provider }, context }: Route.LoaderArgs) {
  const { viewer, features, client } = context.get(appContext);
  const query = new URL(request.url).search;
  const { attempt, result } = await features.providers.finish({ provider, query, viewer, client });
  if ("problem" in result) {
    const { code } = result.problem;
    if (attempt?.inPopup) return redirect(windowPath(attempt.id, code));
    return redirect(
      attempt?.connecting
        ? withProblem(`/settings/security/connect/${provider.toLowerCase()}`, code)
        : signInProblemPath(code, attempt?.returnTo ?? "/", attempt ?? {}),
    );
  }
  const { outcome, cookies } = result;
  const to = attempt?.inPopup
    ? windowPath(attempt.id)
    : afterSignIn(outcome, attempt?.returnTo ?? "/");
  return redirect(to, { headers: setCookies(cookies) });
}

function windowPath(attempt: string, code?: SignInProblemCode): string {
  const path = `/signIn/window?attempt=${attempt}`;
  return code ? withProblem(path, code) : path;
}

function afterSignIn(outcome: SignInOutcome, returnTo: string): string {
  if (outcome === "connected") return returnTo;
  if (outcome === "leaving") return "/keepAccount";
  if (outcome === "second-factor") return withReturn("/signIn/code", returnTo);
  const done = withReturn("/signIn/done", returnTo);
  return outcome === "signed-up" ? withParameter(done, "new") : done;
}
