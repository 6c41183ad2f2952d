import { isProblemCode, signInProblems, type SignInProblemCode } from "#shared/providers.ts";

const problemParameter = "problem";

/** The query parameter of an invitation code in the addresses of the sign-up. */
export const invitationParameter = "invitation";

export function withProblem(path: string, code: SignInProblemCode): string {
  return withParameter(path, `${problemParameter}=${code}`);
}

export function withParameter(path: string, parameter: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
}

/** The message for an error code in the address; unknown codes have none. */
export function problemIn(
  url: string,
  inLanguage: (sentence: string) => string,
): string | undefined {
  const code = new URL(url).searchParams.get(problemParameter);
  if (!isProblemCode(code) || code === "popup-closed-by-user") return undefined;
  return inLanguage(signInProblems[code]);
}
