import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";
import { cleanName, isBlank, lengthProblem } from "#shared/text.ts";

const title = checkedText((text) => collectionTitleProblem(cleanName(text)))
  .transform(cleanName)
  .describe(`${limits.collections.title.graphemes} characters at most`);

export const newCollectionInput = z.object({
  title,
  clientKey: clientKey
    .default(null)
    .describe("sent again with the same, it makes no second collection"),
});

export const collectionEditInput = z.object({ title });

/** Of a post: the collections that it is in afterwards. */
export const collectionsOfPostInput = z.object({
  collections: z
    .array(z.string().max(64))
    .max(limits.collections.ofOne)
    .describe("the ids of yours that it is in from now on; in none: `[]`"),
  ...newCollectionInput.partial().shape,
});

const posts = z
  .array(z.object({ authorId: z.uuid(), postId: z.uuid() }))
  .max(limits.collections.atOnce)
  .default([]);

export const collectionChangeInput = z.object({
  put: posts.describe("of your saved posts; others are left out. The first becomes the newest"),
  takeOut: posts.describe("they stay saved"),
});

/** The error for a title that cannot be saved; null when it can. Takes the cleaned text. */
function collectionTitleProblem(title: string): string | null {
  if (isBlank(title)) return "Give the collection a title.";
  return lengthProblem("A title", title, limits.collections.title);
}
