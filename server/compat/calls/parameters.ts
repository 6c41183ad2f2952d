import { z } from "zod";
import { matchesEtag } from "#server/api/byte-range.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { postNumber } from "#server/api/parameters.ts";
import type { Precondition } from "#server/compat/documents/change-queue.ts";

/** Parameters and responses that several of the documented calls share. */

export const chapterName = "Documented calls";
export const { forAnybody, forMembers } = callsOf(chapterName);

const address = z
  .string()
  .min(1)
  .max(320)
  .describe("an email or a username, present or former, in any letter case");

export const emailParams = z.object({ email: address });

export const emailAndPost = z.object({ email: address, postId: postNumber });
export const authorAndPost = z.object({ authorEmail: address, postId: postNumber });

export const ifMatch = z.looseObject({
  "if-match": z
    .string()
    .max(1000)
    .optional()
    .describe(
      "The `ETag` of the account's document that was changed. With it the change is exact: it is " +
        "refused when anything in that document is not as it was.",
    ),
});

/** The copy that a client changed. A tag may come back weak: compressing proxies make it so. */
export function preconditionOf(headers: z.output<typeof ifMatch>): Precondition {
  const tags = headers["if-match"];
  return tags === undefined ? null : { isCurrent: (tag) => matchesEtag(tags, tag) };
}
