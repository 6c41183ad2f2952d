import { z } from "zod";
import { pageOf } from "#shared/views.schemas.ts";

/** What many calls take in their path or query, each declared once. */

export const cursorQuery = z.object({
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe("`nextCursor` of the page before")
    .transform((cursor) => cursor || null),
});

/** A list of these, page by page. */
export const pagesOf = <Item extends z.ZodType>(item: Item) => ({
  querystring: cursorQuery,
  response: { 200: pageOf(item) },
});

/** An account: by username, or by an email that its owner lets be found. */
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

/** The refusals of an image upload. */
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
