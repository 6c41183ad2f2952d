import { isProblemCode, signInProblems, type SignInProblemCode } from "#shared/providers.ts";
import { withReturn } from "#app/lib/return-path.ts";

const problemParameter = "problem";

/** The sign-in form, which says what went wrong at a provider. */
export function signInProblemPath(code: SignInProblemCode, returnTo: string): string {
  return withProblem(withReturn("/signIn", returnTo), code);
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
