import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { checkedText } from "#shared/text.inputs.ts";
import { lengthProblem } from "#shared/text.ts";

/** What somebody notes about a person; empty: nothing any more. */
export const noteInput = z.object({
  note: checkedText((text) => lengthProblem("A note", text, limits.note)),
});
