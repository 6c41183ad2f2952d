import type { Database } from "#server/platform/db/database.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { Activity } from "#server/features/identity/activity.ts";
import { findByEmail } from "#server/features/identity/credentials.queries.ts";
import type {
  createSignInCompletion,
  CompletedSignIn,
} from "#server/features/identity/sign-in-completion.ts";
import { dummyHash, verifyPassword } from "#server/features/identity/passwords.ts";
import type { createAttemptCounter } from "#server/features/identity/attempt-counter.ts";
import { refuse } from "#shared/errors.ts";
import { signInInput, signUpInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";

export type SignInRequest = { email: string; password: string; client: ClientInfo };

type Deps = {
  db: Database;
  countAttempt: ReturnType<typeof createAttemptCounter>;
  completeSignIn: ReturnType<typeof createSignInCompletion>["complete"];
  activity: Pick<Activity, "noteRefusedSignIn">;
};

/** Looked up for a text that is not an email: no account has it. */
const nobody = "nobody@postcard.invalid";

export function createSignIn({ db, countAttempt, completeSignIn, activity }: Deps) {
  /**
   * Signs in with an email and a password. Refuses with wrong-credentials, in the same words and
   * after the same work (one statement, one hash) whether the account or the password is wrong;
   * with input-invalid for an empty field, with too-many-attempts. Whether there is a second factor
   * is looked at after the password was right. An account that is to be deleted gets the offer to
   * be kept instead of a session, and a suspended one the reason.
   */
  return async function signIn({ client, ...form }: SignInRequest): Promise<CompletedSignIn> {
    const { email, password } = parseInput(signInInput, form);
    const address = email.toLowerCase();
    const counted = await countAttempt(address, client, {
      known: "device-failures",
      stranger: "account-failures",
    });
    // No account has such a password, so the answer may be immediate.
    if (passwordLengthProblem(password) === passwordProblems.long) {
      throw refuse("wrong-credentials");
    }
    const found = await findByEmail(db, isEmail(email) ? address : nobody);
    const right = await verifyPassword({ hash: found?.hash ?? dummyHash, password });
    if (!found || !right) {
      await activity.noteRefusedSignIn(found?.accountId ?? null, client);
      throw refuse("wrong-credentials");
    }
    const entered = await completeSignIn(found.accountId, client, "password");
    await counted.refund();
    return entered;
  };
}

function isEmail(text: string): boolean {
  return signUpInput.shape.email.safeParse(text).success;
}
