import { redirect } from "react-router";
import { isSignInProblem } from "#shared/providers.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { formPath, signInProblemPath } from "#app/lib/sign-up-context.ts";
import { invitationParameter } from "#app/lib/provider-paths.ts";
import { followParameter, returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import type { Route } from "./+types/provider-start";

/** The address of the buttons: to the provider in this window, where no popup opens or scripts are off. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features, client, origin } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const returnTo = safeReturnPath(query.get(returnParameter));
  const signUpContext = {
    invitation: query.get(invitationParameter),
    follow: query.get(followParameter),
  };
  if (viewer) return redirect(returnTo);
  // A link on another site signs nobody in: it leads to the form.
  const site = request.headers.get("Sec-Fetch-Site");
  if (site === "cross-site" || site === "same-site") {
    return redirect(formPath(returnTo, signUpContext));
  }
  try {
    const { url, cookies } = await features.providers.begin({
      provider: params.provider,
      origin,
      returnTo,
      inPopup: false,
      ...signUpContext,
      client,
    });
    return redirect(url, { headers: setCookies(cookies) });
  } catch (error) {
    if (!isSignInProblem(error)) throw error;
    return redirect(signInProblemPath(error.code, returnTo, signUpContext));
  }
}
