import { isRefusal } from "#shared/errors.ts";
import { refusedInit } from "#app/lib/refusals.server.ts";

/**
 * Answers a call of the screens' own scripts: JSON, a refusal as `{ error: { code, message } }` with its
 * status. Unexpected errors go on to the router, which reports them.
 */
export async function answerJson(work: () => Promise<unknown>): Promise<Response> {
  try {
    return Response.json(await work());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, fields } = error;
    return Response.json({ error: { code, message, fields } }, refusedInit(error));
  }
}
