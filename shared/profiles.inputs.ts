import { z } from "zod";
import { bioProblem, nameProblem, websiteOf } from "#shared/profiles.ts";
import { cleanName } from "#shared/text.ts";
import { checkedText } from "#shared/text.inputs.ts";

function name(label: "First name" | "Second name") {
  return z
    .string("required*")
    .transform(cleanName)
    .superRefine((text, context) => {
      const message = nameProblem(label, text);
      if (message) context.addIssue({ code: "custom", message });
    });
}

/** A profile as its owner edits it. What is not given stays as it is. */
export const editInput = z.object({
  firstName: name("First name"),
  secondName: name("Second name"),
  bio: checkedText(bioProblem).optional(),
  website: z
    .string()
    .transform((typed, context) => {
      const href = websiteOf(typed);
      if (href === null) context.addIssue({ code: "custom", message: "Invalid URL" });
      return href ?? "";
    })
    .optional(),
  /** an upload of the caller's own that is not in use */
  imageId: z.string().optional(),
});
