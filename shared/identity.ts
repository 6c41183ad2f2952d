import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { composePassword, passwordLengthProblem } from "#shared/passwords.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { cleanName } from "#shared/text.ts";

const required = "required*";

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them its brackets. */
const emailLength = 254;
/** What the database schema can hold of one name, bytes; far above 50 characters as people count them. */
const nameBytes = 2000;

const nameTooLong = `Use at most ${limits.name} characters.`;

const name = z
  .string("Write a name.")
  // UTF-8 takes no fewer bytes than there are units: no need to check a longer text
  .max(nameBytes, nameTooLong)
  .transform(cleanName)
  .refine((text) => countGraphemes(text, limits.name) <= limits.name, nameTooLong)
  .refine((text) => new TextEncoder().encode(text).length <= nameBytes, nameTooLong)
  .default("");

const email = z.string(required).trim().min(1, required);

/** An email address that an account can have. */
export const emailInput = email
  .max(emailLength, "Invalid email address")
  .pipe(z.email("Invalid email address"));

export const signUpInput = z.object({
  email: emailInput,
  password: z
    .string(required)
    .min(1, required)
    .superRefine((text, context) => {
      const problem = text === "" ? null : passwordLengthProblem(text);
      if (problem) context.addIssue({ code: "custom", message: problem });
    })
    .transform(composePassword),
  firstName: name,
  secondName: name,
});
export type SignUpInput = z.output<typeof signUpInput>;

/** For a change of password, and for a new one after the old was forgotten. */
export const newPasswordInput = signUpInput.pick({ password: true });

/** Any password but an empty one is for the sign-in itself to judge: it says no more than "wrong". */
export const signInInput = z.object({
  email,
  password: z.string(required).min(1, required),
});
