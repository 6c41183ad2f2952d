import { z } from "zod";
import { languageTag } from "#shared/languages.ts";

/** The language of a text; null where its writer does not say. */
export const language = z
  .string()
  .transform((typed, context) => {
    const tag = languageTag(typed);
    if (tag === null)
      context.addIssue({ code: "custom", message: "A language is a tag such as en or pt-BR." });
    return tag;
  })
  .nullable();
