import { data } from "react-router";
import { describeError } from "#app/lib/forms/describe-error.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

/**
 * Asks the server; where that did not answer, or could not, the form stays as it was typed and says so, with
 * what else its answer has (`besides`): the router would put its error page in the form's place. An answer that
 * leads elsewhere saved something: lists that were read before are not true any more.
 */
export async function unlessUnreachable<Answer, Besides extends object>(
  ask: () => Promise<Answer>,
  besides: Besides,
) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Response) {
      forgetLists();
      throw error;
    }
    const problem = { code: "away", message: describeError(error).message, fields: undefined };
    // With a status that says so, nothing else is read again: it would not come either.
    return data({ ...besides, problem }, 503);
  }
}
