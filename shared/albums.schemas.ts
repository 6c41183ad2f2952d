import { z } from "zod";
import { albumAudiences, albumOrders, albumRoles } from "#shared/albums.ts";
import { accountSchema, postTileSchema } from "#shared/views.schemas.ts";
import { imageSchema } from "#shared/images.schemas.ts";

/** As shared/views.schemas.ts, which the browser never loads either. */

const count = z.number().int().min(0);

export const albumTileSchema = z
  .object({
    id: z.uuid().describe("its page is at `/album/{id}`"),
    owner: accountSchema,
    title: z.string(),
    audience: z.enum(albumAudiences).describe("whom it is for besides its members"),
    private: z.boolean().describe("its owner's account is private: `everyone` is followers"),
    order: z.enum(albumOrders).describe("`date`: the oldest first"),
    cover: imageSchema.nullable().describe("null: the caller sees no photo in it"),
    photoCount: count.describe("photos that the caller may see"),
    createdAt: z.number().int().describe("epoch milliseconds"),
    role: z
      .enum(["owner", ...albumRoles])
      .nullable()
      .describe("the caller's; null: no member, who sees it because of whom it is for"),
  })
  .meta({ id: "AlbumTile", description: "An album in a list." });

export const albumSchema = albumTileSchema
  .extend({
    description: z.string(),
    contributors: z
      .array(accountSchema)
      .describe("who has photos in it besides its owner, as far as the caller may see: 10 at most"),
    memberCount: count.nullable().describe("besides its owner; null: the caller is no member"),
  })
  .meta({ id: "Album" });

export const albumPhotoSchema = postTileSchema
  .extend({
    author: accountSchema,
    mine: z.boolean().describe("the caller's, who may take it out"),
  })
  .meta({ id: "AlbumPhoto", description: "A post in an album; `id` names it in its order." });

export const albumMemberSchema = accountSchema
  .extend({ role: z.enum(["owner", ...albumRoles]) })
  .meta({ id: "AlbumMember" });

export const albumInvitationSchema = z
  .object({
    title: z.string(),
    owner: accountSchema,
    role: z.enum(albumRoles).describe("what who joins becomes"),
    joined: z.string().nullable().describe("the album's id, where the caller is in it already"),
  })
  .meta({ id: "AlbumInvitation", description: "What a link for members leads to." });
