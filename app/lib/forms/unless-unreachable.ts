import { data } from "react-router";
import { describeError } from "#app/lib/forms/describe-error.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

/**
 * Calls the server; if that did not answer, or could not, the form stays as it was typed and says so, with
 * the rest of its answer (`besides`): the router would replace the form by its error page. An answer that
 * redirects saved something: earlier lists are outdated.
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
    // With an error status, nothing else is read again: it would fail, too.
    return data({ ...besides, problem }, 503);
  }
}
