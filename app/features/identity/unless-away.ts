import { data } from "react-router";
import { describeError } from "#app/lib/forms/describe-error.ts";

/**
 * For the client's actions of sign-in and sign-up. A submit that did not come through, or that the
 * server could not answer, becomes a sentence under a form that still holds what was typed and
 * chosen; the router would put its error page in the form's place.
 */
export async function unlessAway<Answer, Kept extends object>(answer: Promise<Answer>, kept: Kept) {
  try {
    return await answer;
  } catch (error) {
    // Where to go next is no failure.
    if (error instanceof Response) throw error;
    const { message } = describeError(error);
    const failed = { ...kept, signedIn: false as const, fields: undefined, message };
    // Not a success: else the router would ask its loaders again, which are as far away.
    return data(failed, 503);
  }
}
