import { z } from "zod";
import { commentProblem } from "#shared/comments.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";

/** What a new comment is made of. */
export const commentInput = z.object({ body: checkedText(commentProblem), clientKey });
