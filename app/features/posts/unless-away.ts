import { data } from "react-router";
import { away } from "#app/lib/away.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

/**
 * Asks the server; where that did not answer, the form stays as it was typed and says so, with what
 * else its answer has (`besides`). An answer that leads elsewhere saved something: lists that were
 * read before are not true any more.
 */
export async function unlessAway<Answer, Besides extends object>(
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
    // With a status that says so, nothing else is read again: it would not come either.
    return data({ ...besides, problem: { code: "away", message: away } }, 503);
  }
}
