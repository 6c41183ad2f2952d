import { z } from "zod";
import { namesTag } from "#server/api/byte-range.ts";
import type { Copy } from "#server/compat/documents/turns.ts";

/** What several of the documented calls take, each said once. */

const address = z
  .string()
  .min(1)
  .max(320)
  .describe("an email or a username, present or former, in any letter case");

export const emailParams = z.object({ email: address });

const number = z.coerce
  .number("Posts are numbered from 1.")
  .int("Posts are numbered from 1.")
  .min(1, "Posts are numbered from 1.");

export const emailAndPost = z.object({ email: address, postId: number });
export const authorAndPost = z.object({ authorEmail: address, postId: number });

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

/** Which copy a client says it changed. A tag may come back weak: proxies that compress make it so. */
export function copyOf(headers: z.output<typeof ifMatch>): Copy {
  const tags = headers["if-match"];
  return tags === undefined ? null : { isCurrent: (tag) => namesTag(tags, tag) };
}

export const tags = ["Documented calls"];
