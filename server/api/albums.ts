import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { address, pagesOf, postParams } from "#server/api/parameters.ts";
import {
  albumCoverInput,
  albumDeletionInput,
  albumEditInput,
  albumMoveInput,
  albumPhotoInput,
  newAlbumInput,
} from "#shared/albums.inputs.ts";
import { albumPhotoSchema, albumSchema, albumTileSchema } from "#shared/albums.schemas.ts";
import { found } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

const { forAnybody, forMembers } = callsOf("Albums");
export const albumPath = "/api/albums/:id";
export const albumParams = z.object({ id: z.string().max(64).describe("the album's id") });
const itemParams = z.object({ ...albumParams.shape, ...postParams.shape });

const { page, photosPage } = limits.albums;
const listed = `Newest first, ${page} a page, as far as the caller may see them.`;
const itemRefusals = ["not-found", "not-contributor", "album-full"] as const;

/** Albums and what is in them. */
export const albumCalls = {
  mine: forMembers("GET /api/albums", {
    summary: "Your albums, and those you are a member of",
    description: `Newest first, ${page} a page.`,
    ...pagesOf(albumTileSchema),
    handler: ({ albums }, { viewer, query }) => albums.mine(viewer, query.cursor),
  }),
  of: forAnybody("GET /api/accounts/:address/albums", {
    refuses: ["not-found"],
    summary: "An account's albums",
    description: listed,
    params: z.object({ address }),
    ...pagesOf(albumTileSchema),
    handler: async ({ accounts, albums }, { viewer, params, query }) => {
      const { id } = found(await accounts.findByAddress(viewer, params.address));
      return albums.of(viewer, id, query.cursor);
    },
  }),
  create: forMembers("POST /api/albums", {
    refuses: ["albums-full"],
    summary: "Make an album",
    body: newAlbumInput,
    response: { 201: albumSchema },
    handler: ({ albums }, { viewer, body }) => albums.create(viewer, body),
  }),
  get: forAnybody(`GET ${albumPath}`, {
    refuses: ["not-found"],
    summary: "One album",
    params: albumParams,
    response: { 200: albumSchema },
    handler: ({ albums }, { viewer, params }) => albums.get(viewer, params.id),
  }),
  edit: forMembers(`PATCH ${albumPath}`, {
    refuses: ["not-found", "not-yours"],
    summary: "Edit one of your albums",
    description:
      "Whom it is for counts at once, also for the photos that were uploaded into it. Posts that were put into " +
      "it keep their own audience.",
    params: albumParams,
    body: albumEditInput,
    response: { 200: albumSchema },
    handler: ({ albums }, { viewer, params, body }) => albums.edit(viewer, params.id, body),
  }),
  remove: forMembers(`DELETE ${albumPath}`, {
    refuses: ["not-found", "not-yours"],
    summary: "Delete one of your albums",
    params: albumParams,
    body: albumDeletionInput,
    response: noContent,
    handler: ({ albums }, { viewer, params, body }) =>
      albums.remove(viewer, params.id, body.photos),
  }),
  photos: forAnybody(`GET ${albumPath}/photos`, {
    refuses: ["not-found"],
    summary: "The photos in an album",
    description: `In its order, ${photosPage} a page, as far as the caller may see them.`,
    params: albumParams,
    ...pagesOf(albumPhotoSchema),
    handler: ({ albums }, { viewer, params, query }) =>
      albums.photos(viewer, params.id, query.cursor),
  }),
  add: forMembers(`POST ${albumPath}/photos`, {
    refuses: [...itemRefusals, "picture-unknown", "album-batch-running", "audience-not-offered"],
    summary: "Add a photo to an album",
    description:
      "It becomes a post of yours for whoever the album is for, which no feed or profile lists.",
    params: albumParams,
    body: albumPhotoInput,
    response: { 201: albumPhotoSchema },
    handler: ({ albums }, { viewer, params, body }) => albums.addPhoto(viewer, params.id, body),
  }),
  put: forMembers(`PUT ${albumPath}/posts/:address/:number`, {
    refuses: [...itemRefusals, "not-yours", "album-photo-elsewhere", "album-photos-only"],
    summary: "Put one of your posts into an album",
    description: "It stays for whom it is. Sent again, it changes nothing.",
    params: itemParams,
    response: noContent,
    handler: async ({ albums }, { viewer, params }) => {
      const { id, ...post } = params;
      await albums.putPost(viewer, id, post);
    },
  }),
  takeOut: forMembers(`DELETE ${albumPath}/posts/:address/:number`, {
    refuses: ["not-found", "not-yours"],
    summary: "Take a photo out of an album",
    description:
      "Your own, or any of your own album. One that was uploaded into it becomes a post for only its author.",
    params: itemParams,
    response: noContent,
    handler: async ({ albums }, { viewer, params }) => {
      const { id, ...post } = params;
      await albums.takeOut(viewer, id, post);
    },
  }),
  move: forMembers(`PUT ${albumPath}/order`, {
    refuses: ["not-found", "not-contributor"],
    summary: "Move a photo in an album",
    description: "Within the order `manual`, which an album ordered by date keeps, too.",
    params: albumParams,
    body: albumMoveInput,
    response: noContent,
    handler: ({ albums }, { viewer, params, body }) => albums.move(viewer, params.id, body),
  }),
  cover: forMembers(`PUT ${albumPath}/cover`, {
    refuses: ["not-found", "not-yours"],
    summary: "Choose the cover of one of your albums",
    params: albumParams,
    body: albumCoverInput,
    response: noContent,
    handler: ({ albums }, { viewer, params, body }) =>
      albums.setCover(viewer, params.id, body.item),
  }),
};
