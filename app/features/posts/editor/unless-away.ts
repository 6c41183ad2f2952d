import { away } from "#app/lib/away.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

/** What is said in the form, which stays as it was typed. */
type Away = {
  state: null;
  problem: { code: string; message: string; fields?: undefined };
  now: null;
};

/**
 * Asks the server; where that did not answer, the form stays and says so. An answer that leads
 * elsewhere saved something: lists that were read before are not true any more.
 */
export async function unlessAway<Answer>(ask: () => Promise<Answer>): Promise<Answer | Away> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Response) {
      forgetLists();
      throw error;
    }
    return { state: null, problem: { code: "away", message: away }, now: null };
  }
}
