import { isRefusal } from "#shared/errors.ts";

type Problem = { error: string; description: string };

/** The names of a sign-up's fields in error messages. */
const labels: Record<string, string> = {
  username: "Username",
  email: "E-mail address",
  password: "Password",
  agreement: "Agreement",
};

/** The code for one of our sentences about a field. */
const codes: [sentence: RegExp, code: string][] = [
  [/at least/, "ERR_TOO_SHORT"],
  [/at most/, "ERR_TOO_LONG"],
  [/reserved/, "ERR_RESERVED"],
];

function problemOf(field: string, sentence: string): Problem {
  if (field === "agreement") return { error: "ERR_ACCEPTED", description: "must be accepted" };
  if (sentence === "required*") return { error: "ERR_BLANK", description: "can't be blank" };
  const [, code = "ERR_INVALID"] = codes.find(([words]) => words.test(sentence)) ?? [];
  return { error: code, description: sentence };
}

/**
 * Why the sign-up failed, field by field (docs.joinmastodon.org/methods/accounts/#create, 422); null for
 * reasons that are no field's fault: a closed site, a missing invitation, too many attempts.
 */
export function signUpProblems(
  error: unknown,
): { error: string; details: Record<string, Problem[]> } | null {
  if (!isRefusal(error)) return null;
  const details: Record<string, Problem[]> = {};
  const taken = { error: "ERR_TAKEN", description: "has already been taken" };
  if (error.code === "email-in-use") details["email"] = [taken];
  if (error.code === "username-taken") details["username"] = [taken];
  if (error.code === "input-invalid") {
    for (const [field, sentence] of Object.entries(error.fields ?? {})) {
      if (labels[field]) details[field] = [problemOf(field, sentence)];
    }
  }
  const said = Object.entries(details).flatMap(([field, problems]) =>
    problems.map(({ description }) =>
      // A sentence of ours is complete; Mastodon's words continue after the field's name.
      /^[A-Z]/.test(description)
        ? `${labels[field]}: ${description}`
        : `${labels[field]} ${description}`,
    ),
  );
  return said.length === 0 ? null : { error: `Validation failed: ${said.join(", ")}`, details };
}
