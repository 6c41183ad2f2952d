import { z } from "zod";
import { pageOf } from "#shared/views.schemas.ts";

/** What many calls take in their path or query, each said once. */

export const cursorQuery = z.object({
  cursor: z.string().max(1000).optional().describe("`nextCursor` of the page before"),
});

/** A list of these, page by page. */
export const pagesOf = <Item extends z.ZodType>(item: Item) => ({
  querystring: cursorQuery,
  response: { 200: pageOf(item) },
});

/** Whose: a username, or an email its owner lets be found. */
export const address = z
  .string()
  .min(1)
  .max(254)
  .describe("a username, or the email of someone who can be found by it");

export const postNumber = z.coerce
  .number("Posts are numbered from 1.")
  .int("Posts are numbered from 1.")
  .min(1, "Posts are numbered from 1.");

export const postParams = z.object({
  address,
  number: postNumber.describe("the post's number, counted per author"),
});

/** What a picture that is sent is refused with. */
export const imageRefusals = [
  "picture-type",
  "picture-unreadable",
  "picture-too-heavy",
  "picture-too-large",
  "picture-too-complex",
  "picture-timeout",
  "picture-host-away",
  "disk-read-only",
  "form-broken",
  "uploads-running",
  "uploads-full",
  "disk-full",
] as const;
