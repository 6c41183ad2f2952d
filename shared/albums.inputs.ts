import { z } from "zod";
import {
  albumAudiences,
  albumDescriptionProblem,
  albumOrders,
  albumPhotoFates,
  albumRoles,
  albumTitleProblem,
} from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem, isTimeZone } from "#shared/posts.ts";
import { checkedText, clientKey } from "#shared/text.inputs.ts";
import { cleanName } from "#shared/text.ts";

const title = checkedText((text) => albumTitleProblem(cleanName(text)))
  .transform(cleanName)
  .describe(`${limits.albums.title.graphemes} characters at most`);
const description = checkedText(albumDescriptionProblem).describe(
  `${limits.albums.description.graphemes.toLocaleString("en")} characters at most`,
);
const audience = z
  .enum(albumAudiences)
  .describe("whom it is for besides its members: a private account's `everyone` is its followers");
const order = z
  .enum(albumOrders)
  .describe("`manual`: as you put them; `date`: by the time of each post, the oldest first");

export const newAlbumInput = z.object({
  title,
  description: description.default(""),
  audience: audience.default("members"),
  order: order.default("manual"),
  clientKey: clientKey.default(null).describe("sent again with the same, it makes no second album"),
});

/** What is left out stays. */
export const albumEditInput = z.object({
  title: title.optional(),
  description: description.optional(),
  audience: audience.optional(),
  order: order.optional(),
});

export const albumDeletionInput = z.object({
  photos: z
    .enum(albumPhotoFates)
    .default("keep")
    .describe(
      "`delete` deletes the photos that you added, too; otherwise they become posts for only you. " +
        "Those of others become posts for only them",
    ),
});

/** All that is sent in one go. */
const batch = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe(
    "the same for all that is sent in one go: while one runs, you can't begin another. It is over " +
      `with \`last\`, or ${limits.albums.batchSeconds} seconds after its latest photo. Left out, it is a batch of ` +
      "this one call",
  );

/** The album that an upload is begun for. */
export const albumUploadInput = z.object({ album: z.string().max(64), batch });

/** An upload that goes into an album: one post. */
export const albumPhotoInput = z.object({
  imageId: z.string().max(64).describe("the `data.id` that `POST /api/images` answered"),
  alt: checkedText(altTextProblem).default(""),
  caption: checkedText(captionProblem).default(""),
  timeZone: z
    .string()
    .default("UTC")
    .transform((name) => (isTimeZone(name) ? name : "UTC")),
  clientKey: clientKey.describe("sent again with the same, it makes no second photo"),
  batch,
  last: z.boolean().optional().describe("nothing follows in this `batch`"),
});

const item = z.uuid().describe("the `id` of a photo in this album");

export const albumMoveInput = z.object({
  item,
  after: item.nullable().describe("the photo it then follows; null: it becomes the first"),
});

export const albumCoverInput = z.object({
  item: item.nullable().describe("null: the first photo stands for the album"),
});

export const albumRoleInput = z.object({
  role: z.enum(albumRoles).default("member").describe("a `contributor` also adds photos"),
});

/** The token of a link for members. */
export const albumToken = z.string().max(64);
