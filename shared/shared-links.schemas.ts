import { z } from "zod";
import { albumAudiences, albumOrders } from "#shared/albums.ts";
import { audiences } from "#shared/posts.ts";
import { linkKinds } from "#shared/link-kinds.ts";
import { imageSchema } from "#shared/images.schemas.ts";

/** Answers about links for guests; as in views.schemas.ts. The browser never loads this file. */

const time = z.number().int().describe("epoch milliseconds");

export const sharedLinkSchema = z
  .object({
    id: z.uuid(),
    kind: z.enum(linkKinds),
    number: z.number().int().nullable().describe("of the post that it shows"),
    picture: imageSchema.nullable().describe("the first photo of the post"),
    album: z.object({ id: z.uuid(), title: z.string() }).nullable().describe("that it shows"),
    albumAudience: z
      .enum(albumAudiences)
      .nullable()
      .describe("the narrowest audience of the album with which it is shown, as you confirmed"),
    audience: z
      .enum(audiences)
      .describe("the narrowest audience whose posts it shows, as you confirmed"),
    expiresAt: time.nullable().describe("null: until you end it"),
    password: z.boolean().describe("guests need one"),
    downloads: z.boolean(),
    previews: z.boolean(),
    opened: z.number().int().describe("how many browsers opened it"),
    lastOpenedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: "SharedLink" });

export const guestLinkSchema = z.object({
  id: z.uuid(),
  kind: z.enum(linkKinds),
  downloads: z.boolean(),
  expiresAt: time.nullable(),
  album: z
    .object({ title: z.string(), description: z.string(), order: z.enum(albumOrders) })
    .nullable(),
});
