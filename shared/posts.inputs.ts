import { z } from "zod";
import { focalPoint } from "#shared/focal-point.ts";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem, commenters, isTimeZone } from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";

const tooManyPictures = `A post can have up to ${limits.picturesPerPost} pictures.`;

/** What a new post is made of. That it shows anything at all is for posts.publish to say. */
export const publishInput = z.object({
  caption: checkedText(captionProblem),
  pictures: z
    .array(z.object({ imageId: z.string(), alt: checkedText(altTextProblem) }))
    .max(limits.picturesPerPost, tooManyPictures),
  // The browser's zone comes from a cookie: one we do not know must not cost anybody a post.
  timeZone: z.string().transform((name) => (isTimeZone(name) ? name : "UTC")),
  clientKey,
  /** everybody sees what the camera wrote: model, lens, exposure, date */
  showCamera: z.boolean().default(false),
  /** everybody sees where the photos were taken, to about a kilometre; else it is forgotten */
  showPlace: z.boolean().default(false),
  commentsFrom: z.enum(commenters).default("everyone"),
});

/** What a photo of somebody else's shows, as a reader suggests it. */
export const altSuggestionInput = z.object({
  key: z.string().max(64),
  alt: checkedText((alt) =>
    isBlank(alt) ? "Describe the photo in a few words." : altTextProblem(alt),
  ),
});

/**
 * What becomes of a post that is out; what is left out stays. Of its pictures, those that are there
 * are named by their `key`, added ones by their `imageId`.
 */
export const editInput = z.object({
  version: z.number().int().min(0),
  caption: checkedText(captionProblem).optional(),
  pictures: z
    .array(
      z.object({
        key: z.string().max(64).optional(),
        imageId: z.string().max(64).optional(),
        alt: checkedText(altTextProblem).optional(),
        focalPoint: focalPoint.optional(),
      }),
    )
    .max(limits.picturesPerPost, tooManyPictures)
    .optional(),
  showCamera: z.boolean().optional(),
  // Forgotten is forgotten: it can be withdrawn, and not be brought back.
  showPlace: z.literal(false).optional(),
  commentsFrom: z.enum(commenters).optional(),
});
