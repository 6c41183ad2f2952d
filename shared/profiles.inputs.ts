import { z } from "zod";
import { extraFieldInputs, extraProblem } from "#shared/extra-fields.ts";
import { profileFields, type ProfileField } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { checkedText } from "#shared/text.inputs.ts";

/** The declaration of a field, as a schema. */
function words(name: ProfileField) {
  const { problem, clean } = profileFields[name];
  return z.string("required*").transform((typed, context) => {
    const message = problem(typed);
    if (message) context.addIssue({ code: "custom", message });
    return clean(typed);
  });
}

const fields = {
  firstName: words("firstName"),
  secondName: words("secondName"),
  bio: words("bio").optional(),
  website: words("website").optional(),
} satisfies Record<ProfileField, z.ZodType>;

/** A profile as its owner edits it. Missing fields stay as they are. */
export const editInput = z.object({
  ...fields,
  ...recordOf(extraFieldInputs, () => checkedText(extraProblem).optional()),
  /** an upload of the caller's own that is not in use */
  imageId: z.string().optional(),
});
