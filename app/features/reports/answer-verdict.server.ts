import { data } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import type { PageContext } from "#app/lib/context.server.ts";
import { refusedInit } from "#app/lib/refusals.server.ts";

/** Sends somebody's answer to a verdict; what was typed comes back where it was refused. */
export async function answerVerdict(
  { moderation }: PageContext["features"],
  accountId: string,
  { verdict = "", words = "" }: Record<string, string | undefined>,
) {
  try {
    await moderation.answer(accountId, verdict, { words });
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const problem = error.fields?.["words"] ?? error.message;
    return data({ verdict, words, problem }, refusedInit(error));
  }
}
