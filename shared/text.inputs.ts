import { z } from "zod";
import { cleanText } from "#shared/text.ts";

/** Text as people type it, cleaned; `problem` says what is wrong with it, if anything. */
export function checkedText(problem: (text: string) => string | null) {
  return z
    .string()
    .transform(cleanText)
    .superRefine((text, context) => {
      const message = problem(text);
      if (message) context.addIssue({ code: "custom", message });
    });
}

/** The client's own key of a submit: sent again with the same key, nothing happens twice. */
export const clientKey = z
  .string()
  .max(100)
  .transform((key) => cleanText(key) || null)
  .nullable();
