import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { composePassword } from "#shared/passwords.ts";
import { audiences } from "#shared/posts.ts";
import { linkKinds, linkLifetimes } from "#shared/link-kinds.ts";

const { least, most } = limits.sharedLinks.password;
const passwordLength = `Use ${least} to ${most} characters.`;

/** A link to make. Empty fields of forms count as missing. */
export const sharedLinkInput = z
  .object({
    kind: z.enum(linkKinds),
    number: z.coerce
      .number("Which post?")
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe("of `post`: your post's number"),
    audience: z
      .enum(audiences, "Please choose what it shows.")
      .default("everyone")
      .describe(
        "the narrowest audience whose posts guests may see. A post that is for fewer people is not " +
          "shown, now or later; `only-me` is for a link to one post alone",
      ),
    lasts: z
      .enum(linkLifetimes, "Please choose how long it works.")
      .default("month")
      .describe("`month` is 30 days; `date` needs `until`; `never`: until you end it"),
    until: z
      .union([z.literal("").transform(() => undefined), z.iso.date("Please choose a date.")])
      .optional()
      .describe("the last day it works, in UTC"),
    password: z
      .string()
      .transform(composePassword)
      .refine(
        (text) => text === "" || (text.length >= least && text.length <= most),
        passwordLength,
      )
      .optional()
      .describe(`${least} to ${most} characters; empty: none`),
    downloads: z.boolean().default(false).describe("guests may download the photos"),
    previews: z
      .boolean()
      .default(false)
      .describe("messengers may show your name and, without a password, the first photo"),
  })
  .superRefine(({ kind, number, lasts, until }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (kind === "post" && number === undefined) refuse("number", "Which post?");
    if (lasts !== "date") return;
    const day = until === undefined ? Number.NaN : Date.parse(`${until}T23:59:59Z`);
    if (Number.isNaN(day)) refuse("until", "Please choose a date.");
    else if (day < Date.now()) refuse("until", "This day is over. Please choose a later one.");
    else if (day > Date.now() + limits.sharedLinks.mostDays * 86_400_000)
      refuse("until", "Please choose a date within the next ten years.");
  });
