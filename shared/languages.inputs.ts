import { z } from "zod";
import { languageTag, type ChosenLanguages } from "#shared/languages.ts";

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

/** What a form sends for none is an empty field. */
const chosen = z.preprocess((typed) => (typed === "" ? null : typed), language).optional();

/** What a member reads and writes in. */
export const chosenLanguages = z.object({
  language: chosen,
  postingLanguage: chosen,
} satisfies Record<keyof ChosenLanguages, z.ZodType>);
