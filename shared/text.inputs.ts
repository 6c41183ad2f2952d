import { z } from "zod";
import { cleanText } from "#shared/text.ts";

/** Text as people type it, cleaned; `problem` returns its error, if any. */
export function checkedText(problem: (text: string) => string | null) {
  return z
    .string()
    .transform(cleanText)
    .superRefine((text, context) => {
      const message = problem(text);
      if (message) context.addIssue({ code: "custom", message });
    });
}

/** An idempotency key of the client: submitted again with the same key, nothing happens twice. */
export const clientKey = z
  .string()
  .max(100)
  .transform((key) => cleanText(key) || null)
  .nullable();
