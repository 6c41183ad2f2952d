import { isProblemCode, signInProblems, type SignInProblemCode } from "#shared/providers.ts";

const problemParameter = "problem";

/** Where a code stands in the addresses of the sign-up. */
export const invitationParameter = "invitation";

/** Where whom they came for stands there. */
export const followParameter = "follow";

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
