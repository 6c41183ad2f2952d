import { isProblemCode, signInProblems, type SignInProblemCode } from "#shared/providers.ts";
import { withReturn } from "#app/lib/return-path.ts";

const problemParameter = "problem";

/** What somebody who signs up came with, as it stands in the address: it gets lost nowhere. */
export type ComeWith = {
  /** the code of an invitation */
  invitation?: string | null;
  /** the id of whom they came for, and follow then */
  follow?: string | null;
};

/** The form of whoever goes to a provider: signing in, or signing up for who came with something. */
export function formPath(returnTo: string, come: ComeWith): string {
  const signsUp = come.invitation || come.follow;
  return comingWith(withReturn(signsUp ? "/signUp" : "/signIn", returnTo), come);
}

/** The same, saying what went wrong at the provider. */
export function signInProblemPath(
  code: SignInProblemCode,
  returnTo: string,
  come: ComeWith = {},
): string {
  return withProblem(formPath(returnTo, come), code);
}

/** Where a code stands in the addresses of the sign-up. */
export const invitationParameter = "invitation";

/** Where whom they came for stands there. */
export const followParameter = "follow";

export function comingWith(path: string, { invitation, follow }: ComeWith): string {
  const come = { [invitationParameter]: invitation, [followParameter]: follow };
  return Object.entries(come).reduce(
    (to, [name, value]) => (value ? withParameter(to, `${name}=${encodeURIComponent(value)}`) : to),
    path,
  );
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
