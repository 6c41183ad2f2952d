import type { SignInProblemCode } from "#shared/providers.ts";
import { invitationParameter, withParameter, withProblem } from "#app/lib/provider-paths.ts";
import { followParameter, withReturn } from "#app/lib/return-path.ts";

/** The context of a sign-up, as it is in the address: no page loses it. */
export type SignUpContext = {
  /** the code of an invitation */
  invitation?: string | null;
  /** the id of the account they came for, and will follow */
  follow?: string | null;
};

/** The form that leads to a provider: sign-in, or sign-up where there is a context. */
export function formPath(returnTo: string, signUpContext: SignUpContext): string {
  const signsUp = signUpContext.invitation || signUpContext.follow;
  return withSignUpContext(withReturn(signsUp ? "/signUp" : "/signIn", returnTo), signUpContext);
}

/** The same, with the error of the provider. */
export function signInProblemPath(
  code: SignInProblemCode,
  returnTo: string,
  signUpContext: SignUpContext = {},
): string {
  return withProblem(formPath(returnTo, signUpContext), code);
}

export function withSignUpContext(path: string, { invitation, follow }: SignUpContext): string {
  const signUpContext = { [invitationParameter]: invitation, [followParameter]: follow };
  return Object.entries(signUpContext).reduce(
    (to, [name, value]) => (value ? withParameter(to, `${name}=${encodeURIComponent(value)}`) : to),
    path,
  );
}
