import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { composePassword } from "#shared/passwords.ts";
import { albumAudiences } from "#shared/albums.ts";
import { audiences, isTimeZone } from "#shared/posts.ts";
import { linkKinds, linkLifetimes } from "#shared/link-kinds.ts";

const { least, most } = limits.sharedLinks.password;
const dayMs = 86_400_000;

/** The clock of a time zone, read as one of UTC. */
function clockAt(at: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat("sv", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return Date.parse(`${clock.format(at).replace(" ", "T")}Z`);
}

/** The last second of a day, `2026-05-01`, in an IANA time zone: epoch milliseconds. */
export function endOfDay(day: string, timeZone: string): number {
  const clock = Date.parse(`${day}T23:59:59Z`);
  const near = clock - (clockAt(clock, timeZone) - clock);
  // The clocks may change between the two.
  return near - (clockAt(near, timeZone) - clock);
}

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
    album: z.uuid("Which album?").optional().describe("of `album`: the `id` of your album"),
    albumAudience: z
      .enum(albumAudiences)
      .default("everyone")
      .describe(
        "of `album`: whom it is for besides its members, as you confirm it. While it is for fewer people, the " +
          "link shows nothing. Others' photos are shown as far as each of them lets links show theirs",
      ),
    audience: z
      .enum(audiences, "Please choose what it shows.")
      .default("everyone")
      .describe(
        "the narrowest audience whose posts guests may see. A post that is for fewer people is not " +
          "shown, now or later; `only-me` is for a link to one post alone. Of `album`: of your posts that were " +
          "put into it",
      ),
    lasts: z
      .enum(linkLifetimes, "Please choose how long it works.")
      .default("month")
      .describe("`month` is 30 days; `date` needs `until`; `never`: until you end it"),
    until: z
      .union([z.literal("").transform(() => undefined), z.iso.date("Please choose a date.")])
      .optional()
      .describe("the last day it works, to its end in `timeZone`"),
    timeZone: z
      .string()
      .default("UTC")
      .transform((name) => (isTimeZone(name) ? name : "UTC")),
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
  .superRefine(({ kind, number, album, lasts, until, timeZone }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (kind === "post" && number === undefined) refuse("number", "Which post?");
    if (kind === "album" && album === undefined) refuse("album", "Which album?");
    if (lasts !== "date") return;
    const day = until === undefined ? Number.NaN : endOfDay(until, timeZone);
    if (Number.isNaN(day)) refuse("until", "Please choose a date.");
    else if (day < Date.now()) refuse("until", "This day is over. Please choose a later one.");
    else if (day > Date.now() + limits.sharedLinks.mostDays * dayMs)
      refuse("until", "Please choose a date within the next ten years.");
  });
