import { isProblemCode, signInProblems, type SignInProblemCode } from "#shared/providers.ts";
import { withReturn } from "#app/lib/return-path.ts";

const problemParameter = "problem";

/**
 * The form that says what went wrong at a provider: signing in, or signing up for somebody who came
 * with an invitation, which stays in the address.
 */
export function signInProblemPath(
  code: SignInProblemCode,
  returnTo: string,
  invitation: string | null = null,
): string {
  const form = withReturn(invitation ? "/signUp" : "/signIn", returnTo);
  return withProblem(withInvitation(form, invitation), code);
}

/** Where a code stands in the addresses of the sign-up. */
export const invitationParameter = "invitation";

export function withInvitation(path: string, invitation: string | null): string {
  if (!invitation) return path;
  return withParameter(path, `${invitationParameter}=${encodeURIComponent(invitation)}`);
}

export function withProblem(path: string, code: SignInProblemCode): string {
  return withParameter(path, `${problemParameter}=${code}`);
}

export function withParameter(path: string, parameter: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
}

/** The sentence that an address asks for; whatever else stands there says nothing. */
export function problemIn(url: string): string | undefined {
  const code = new URL(url).searchParams.get(problemParameter);
  return isProblemCode(code) && code !== "popup-closed-by-user" ? signInProblems[code] : undefined;
}
