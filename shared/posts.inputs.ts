import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem, isTimeZone } from "#shared/posts.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";

/** What a new post is made of. That it shows anything at all is for posts.publish to say. */
export const publishInput = z.object({
  caption: checkedText(captionProblem),
  pictures: z
    .array(z.object({ imageId: z.string(), alt: checkedText(altTextProblem) }))
    .max(limits.picturesPerPost, `A post can have up to ${limits.picturesPerPost} pictures.`),
  // The browser's zone comes from a cookie: one we do not know must not cost anybody a post.
  timeZone: z.string().transform((name) => (isTimeZone(name) ? name : "UTC")),
  clientKey,
});
