import { z } from "zod";
import { focalPoint } from "#shared/focal-point.ts";
import { language } from "#shared/languages.inputs.ts";
import { limits } from "#shared/limits.ts";
import {
  altTextProblem,
  audiences,
  captionProblem,
  commenters,
  isTimeZone,
  type PostChoice,
  warningProblem,
} from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";

const tooManyPhotos = `A post can have up to ${limits.photosPerPost} pictures.`;

const warning = checkedText(warningProblem)
  .transform((text) => (isBlank(text) ? null : text))
  .nullable();

/** As programs send and read them. */
export const choices = {
  showCamera: z
    .boolean()
    .optional()
    .describe("everybody sees camera, lens, exposure and date of the photos; else nobody does"),
  showPlace: z
    .boolean()
    .optional()
    .describe("everybody sees where they were taken, to 0.01°; else that is forgotten for good"),
  commentsFrom: z
    .enum(commenters)
    .optional()
    .describe("who may comment besides you: `following` is the people you follow. Else everyone"),
  audience: z
    .enum(audiences)
    .optional()
    .describe(
      "who may see it: a private account's posts are for its followers at most. Else everyone",
    ),
  warning: warning
    .optional()
    .describe(
      "a content warning: shown in place of the words and pictures until somebody wants to see them, " +
        `${limits.warning.graphemes} characters at most. Else none`,
    ),
  sensitive: z
    .boolean()
    .optional()
    .describe(
      "its pictures are veiled until somebody wants to see them; always so with a `warning`. Else not",
    ),
} satisfies Record<PostChoice, z.ZodType>;

/** The same for a published post. */
export const editedChoices = {
  showCamera: z.boolean().optional().describe("as in a new post; left out, it stays"),
  // A deleted location stays deleted: it can be withdrawn, but not restored.
  showPlace: z
    .literal(false)
    .optional()
    .describe("`false` forgets for good where the photos were taken; left out, it stays"),
  commentsFrom: z
    .enum(commenters)
    .optional()
    .describe(
      "who may comment from now on, as in a new post; comments that are there stay. Left out, it stays",
    ),
  audience: z
    .enum(audiences)
    .optional()
    .describe("who may see it from now on, its likes and comments too. Left out, it stays"),
  warning: warning
    .optional()
    .describe(
      "as in a new post; null takes it away, and the pictures stay veiled. Left out, it stays",
    ),
  sensitive: z.boolean().optional().describe("as in a new post; left out, it stays"),
} satisfies Record<PostChoice, z.ZodType>;

/** A new post. That it is not empty is checked by posts.publish. */
export const publishInput = z.object({
  caption: checkedText(captionProblem),
  pictures: z
    .array(z.object({ imageId: z.string(), alt: checkedText(altTextProblem) }))
    .max(limits.photosPerPost, tooManyPhotos),
  // The browser's zone comes from a cookie: an unknown one must not block a post.
  timeZone: z.string().transform((name) => (isTimeZone(name) ? name : "UTC")),
  clientKey,
  language: language.optional(),
  ...choices,
});

/** A description of somebody else's photo, as a reader suggests it. */
export const altSuggestionInput = z.object({
  key: z.string().max(64),
  alt: checkedText((alt) =>
    isBlank(alt) ? "Describe the photo in a few words." : altTextProblem(alt),
  ),
});

/**
 * Changes to a published post; fields that are left out stay. Its own photos are named by their `key`,
 * added ones by their `imageId`.
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
    .max(limits.photosPerPost, tooManyPhotos)
    .optional(),
  language: language.optional(),
  ...editedChoices,
});
