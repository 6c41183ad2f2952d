import type { SignInProblemCode } from "#shared/providers.ts";
import {
  followParameter,
  invitationParameter,
  withParameter,
  withProblem,
} from "#app/lib/provider-paths.ts";
import { withReturn } from "#app/lib/return-path.ts";

/** What somebody who signs up came with, as it stands in the address: it gets lost nowhere. */
export type SignUpContext = {
  /** the code of an invitation */
  invitation?: string | null;
  /** the id of whom they came for, and follow then */
  follow?: string | null;
};

/** The form of whoever goes to a provider: signing in, or signing up for who came with something. */
export function formPath(returnTo: string, signUpContext: SignUpContext): string {
  const signsUp = signUpContext.invitation || signUpContext.follow;
  return withSignUpContext(withReturn(signsUp ? "/signUp" : "/signIn", returnTo), signUpContext);
}

/** The same, saying what went wrong at the provider. */
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
