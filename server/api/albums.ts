import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { address, pagesOf, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
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

type Deps = { features: Pick<Features, "accounts" | "albums"> };

const { forAnybody, forMembers } = chapter("Albums");
export const albumPath = "/api/albums/:id";
export const albumParams = z.object({ id: z.string().max(64).describe("the album's id") });
const itemParams = z.object({ ...albumParams.shape, ...postParams.shape });

const { page, photosPage } = limits.albums;
const listed = `Newest first, ${page} a page, as far as the caller may see them.`;
const itemRefusals = ["not-found", "not-contributor", "album-full"] as const;

const declared = {
  mine: forMembers([], {
    summary: "Your albums, and those you are a member of",
    description: `Newest first, ${page} a page.`,
    ...pagesOf(albumTileSchema),
  }),
  of: forAnybody(["not-found"], {
    summary: "An account's albums",
    description: listed,
    params: z.object({ address }),
    ...pagesOf(albumTileSchema),
  }),
  create: forMembers(["albums-full"], {
    summary: "Make an album",
    body: newAlbumInput,
    response: { 201: albumSchema },
  }),
  get: forAnybody(["not-found"], {
    summary: "One album",
    params: albumParams,
    response: { 200: albumSchema },
  }),
  edit: forMembers(["not-found", "not-yours"], {
    summary: "Edit one of your albums",
    description:
      "Whom it is for counts at once, also for the photos that were uploaded into it. Posts that were put into " +
      "it keep their own audience.",
    params: albumParams,
    body: albumEditInput,
    response: { 200: albumSchema },
  }),
  remove: forMembers(["not-found", "not-yours"], {
    summary: "Delete one of your albums",
    params: albumParams,
    body: albumDeletionInput,
    response: noContent,
  }),
  photos: forAnybody(["not-found"], {
    summary: "The photos in an album",
    description: `In its order, ${photosPage} a page, as far as the caller may see them.`,
    params: albumParams,
    ...pagesOf(albumPhotoSchema),
  }),
  add: forMembers(
    [...itemRefusals, "picture-unknown", "album-batch-running", "audience-not-offered"],
    {
      summary: "Add a photo to an album",
      description:
        "It becomes a post of yours for whoever the album is for, which no feed or profile lists.",
      params: albumParams,
      body: albumPhotoInput,
      response: { 201: albumPhotoSchema },
    },
  ),
  put: forMembers([...itemRefusals, "not-yours", "album-photo-elsewhere", "album-photos-only"], {
    summary: "Put one of your posts into an album",
    description: "It stays for whom it is. Sent again, it changes nothing.",
    params: itemParams,
    response: noContent,
  }),
  takeOut: forMembers(["not-found", "not-yours"], {
    summary: "Take a photo out of an album",
    description:
      "Your own, or any of your own album. One that was uploaded into it becomes a post for only its author.",
    params: itemParams,
    response: noContent,
  }),
  move: forMembers(["not-found", "not-contributor"], {
    summary: "Move a photo in an album",
    description: "Within the order `manual`, which an album ordered by date keeps, too.",
    params: albumParams,
    body: albumMoveInput,
    response: noContent,
  }),
  cover: forMembers(["not-found", "not-yours"], {
    summary: "Choose the cover of one of your albums",
    params: albumParams,
    body: albumCoverInput,
    response: noContent,
  }),
};

/** Albums and what is in them. */
export function albumCalls({ features: { accounts, albums } }: Deps) {
  return {
    mine: call("GET", "/api/albums", declared.mine, async (request) =>
      albums.mine(memberOf(request), request.query.cursor || null),
    ),
    of: call("GET", "/api/accounts/:address/albums", declared.of, async (request) => {
      const { viewer, params, query } = request;
      const { id } = found(await accounts.findByAddress(viewer, params.address));
      return albums.of(viewer, id, query.cursor || null);
    }),
    create: call("POST", "/api/albums", declared.create, async (request) =>
      albums.create(memberOf(request), request.body),
    ),
    get: call("GET", albumPath, declared.get, async ({ viewer, params }) =>
      albums.get(viewer, params.id),
    ),
    edit: call("PATCH", albumPath, declared.edit, async (request) =>
      albums.edit(memberOf(request), request.params.id, request.body),
    ),
    remove: call("DELETE", albumPath, declared.remove, async (request) =>
      albums.remove(memberOf(request), request.params.id, request.body.photos),
    ),
    photos: call("GET", `${albumPath}/photos`, declared.photos, async (request) =>
      albums.photos(request.viewer, request.params.id, request.query.cursor || null),
    ),
    add: call("POST", `${albumPath}/photos`, declared.add, async (request) =>
      albums.addPhoto(memberOf(request), request.params.id, request.body),
    ),
    put: call("PUT", `${albumPath}/posts/:address/:number`, declared.put, async (request) => {
      const { id, ...post } = request.params;
      await albums.putPost(memberOf(request), id, post);
    }),
    takeOut: call(
      "DELETE",
      `${albumPath}/posts/:address/:number`,
      declared.takeOut,
      async (request) => {
        const { id, ...post } = request.params;
        await albums.takeOut(memberOf(request), id, post);
      },
    ),
    move: call("PUT", `${albumPath}/order`, declared.move, async (request) =>
      albums.move(memberOf(request), request.params.id, request.body),
    ),
    cover: call("PUT", `${albumPath}/cover`, declared.cover, async (request) =>
      albums.setCover(memberOf(request), request.params.id, request.body.item),
    ),
  };
}
