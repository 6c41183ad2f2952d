import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/ui.json";
import { callErrorOf, errorMessage } from "#app/lib/api-client.ts";
import { signInPath } from "#app/lib/return-path.ts";

/** Why a form was refused. */
export type Problem = {
  code: string;
  message: string;
  /** field name → sentence */
  fields?: FieldErrors | undefined;
};

export function problemOf(error: unknown): Problem {
  const { code = "internal", fields } = callErrorOf(error);
  return { code, message: errorMessage(error), fields };
}

/** For those signed out meanwhile: they sign in in a new tab, so that this page keeps what is typed. */
export const SignInBeside = ({ pathname }: { pathname: string }) => (
  <a href={signInPath({ pathname })} target="_blank" className="link">
    {words.signInBeside}
  </a>
);

/** The sentence of a refusal on the form at `pathname`. */
export const ProblemLine = ({
  problem: { code, message },
  pathname,
}: {
  problem: Problem;
  pathname: string;
}) => (
  <p className="font-medium text-danger">
    {message} {code === "sign-in-required" && <SignInBeside pathname={pathname} />}
  </p>
);
