import { z } from "zod";
import { commentProblem } from "#shared/comments.ts";
import { language } from "#shared/languages.inputs.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";

/** A new comment. */
export const commentInput = z.object({
  body: checkedText(commentProblem),
  clientKey,
  language: language.optional(),
});
