import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { addStreamed } from "#server/api/files.ts";
import { imageRefusals } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { byteCount } from "#server/http/byte-counts.ts";
import { answerTus } from "#server/http/tus.ts";
import { createUploadLocks } from "#server/http/upload-lock.ts";
import type { Uploads } from "#server/http/uploads.ts";
import { limits } from "#shared/limits.ts";
import { imageSchema } from "#shared/images.schemas.ts";

type Deps = { features: Pick<Features, "resumableUploads">; uploads: Uploads };

type OfOne = { Params: z.output<typeof params> };

const path = "/api/uploads";

/**
 * POST /api/uploads, HEAD, PATCH and DELETE /api/uploads/:id: an image that arrives in parts (tus).
 * GET /api/uploads/:id: its progress, and in the end the image made of it.
 */
export function uploadRoutes({ features, uploads }: Deps) {
  const { resumableUploads } = features;
  const locks = createUploadLocks();

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const viewer = memberOf(request);
    const given = { viewer, uploads: resumableUploads, locks, path };
    const { status, headers } = await answerTus(request.raw, given);
    void reply.status(status).headers(headers);
    return headers;
  }

  /** Checks that the disk has room for the whole file, and again for each part. */
  async function answerWithRoom(
    request: FastifyRequest,
    reply: FastifyReply,
    announced: number | null,
  ) {
    const { id: from } = memberOf(request);
    const slot = await uploads.admit({ lane: "pictures", from, announced });
    return answer(request, reply).finally(slot.end);
  }

  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const { "Upload-Length": announced } = announcedBy(request);
    // What is too heavy is refused as such, whatever room the disk has left.
    const most = announced === null ? null : Math.min(announced, limits.imageBytes);
    await answerWithRoom(request, reply, most);
    return reply.send();
  }

  async function go(request: FastifyRequest<OfOne>, reply: FastifyReply) {
    const { "Content-Length": announced } = announcedBy(request);
    const headers = await answerWithRoom(request, reply, announced);
    const arrived = headers["Upload-Offset"];
    if (arrived) {
      await resumableUploads.arrived(memberOf(request), request.params.id, Number(arrived));
    }
    return reply.send();
  }

  async function plainly(request: FastifyRequest<OfOne>, reply: FastifyReply) {
    await answer(request, reply);
    return reply.send();
  }

  return async (app: Calls): Promise<void> => {
    // An image that is being made still writes its row.
    app.addHook("onClose", resumableUploads.settled);
    await addStreamed(app, (scope) => {
      scope.post(path, { ...declarations.begin, handler: begin });
      scope.head<OfOne>(`${path}/:id`, { ...declarations.ask, handler: plainly });
      scope.patch<OfOne>(`${path}/:id`, { ...declarations.go, handler: go });
      scope.delete<OfOne>(`${path}/:id`, { ...declarations.stop, handler: plainly });
      scope.get<OfOne>(`${path}/:id`, declarations.see, (request) =>
        resumableUploads.see(memberOf(request), request.params.id),
      );
    });
  };
}

/**
 * A count of bytes in a header. Refuses with input-invalid: the protocol's reader takes 1e+21 for one byte.
 */
function announcedBy({ headers }: FastifyRequest) {
  return {
    "Upload-Length": byteCount("Upload-Length", headers["upload-length"]),
    "Upload-Offset": byteCount("Upload-Offset", headers["upload-offset"]),
    "Content-Length": byteCount("Content-Length", headers["content-length"]),
  };
}

const params = z.object({ id: z.string().describe("the last part of the upload's `Location`") });

const seen = z.object({
  state: z.enum(["arriving", "preparing", "ready", "refused"]),
  bytes: z.number().int().describe("of the whole file"),
  offset: z.number().int().describe("bytes that arrived"),
  received: z.number().int().describe("bytes that came in all, with those sent twice"),
  imageId: z.uuid().optional().describe("with `ready`: what to publish a post with"),
  picture: imageSchema.optional(),
  still: z
    .boolean()
    .optional()
    .describe("with `ready`: it was sent animated, and is too long or too heavy to move"),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe("with `refused`: why no picture could be made of it"),
});

const tus = { "Tus-Resumable": "`1.0.0`" };
const offsetHeader = { "Upload-Offset": "bytes that have arrived" };
const { forMembers } = chapter("Pictures");

const declarations = {
  begin: forMembers(
    [
      "picture-too-heavy",
      "storage-full",
      "newcomers-full",
      "too-many-uploads",
      "uploads-running",
      "not-found",
      "not-contributor",
      "album-full",
      "album-batch-running",
      "audience-not-offered",
      "import-ended",
      "uploads-full",
      "disk-full",
    ],
    {
      summary: "Begin an upload that can be resumed",
      description:
        "The tus protocol (version 1.0.0, with `creation`, `termination` and `expiration`): send " +
        "`Tus-Resumable: 1.0.0` and `Upload-Length`, no body. JPEG, PNG, WebP, AVIF, HEIC or GIF, 25 MB " +
        "at most. What nothing comes to for 24 hours is removed. 20 may be unfinished at a time. " +
        "`Upload-Metadata: album …,batch …` (each in Base64) begins it for an album, which alone can use it: " +
        "it then counts for a day among the photos for albums, not among the images of an hour.",
      response: { 201: z.undefined() },
      answerHeaders: { Location: "its address, for all that follows", ...tus },
    },
  ),
  ask: {
    config: { access: "member", refusals: ["not-found", "picture-host-away"] },
    schema: { hide: true, params },
  },
  go: forMembers(["not-found", "upload-offset", ...imageRefusals], {
    summary: "Send the next part of an upload",
    description:
      "Send `Tus-Resumable: 1.0.0`, `Content-Type: application/offset+octet-stream`, `Upload-Offset` " +
      "and the bytes from there on. After a broken line ask by `HEAD` how much arrived: parts of a " +
      "part are kept. `409` when somebody else went on meanwhile. 500 parts at most.",
    consumes: ["application/offset+octet-stream"],
    params,
    body: z.string().meta({ format: "binary", description: "the bytes" }),
    response: { 204: z.undefined() },
    answerHeaders: { ...offsetHeader, ...tus },
  }),
  stop: forMembers(["not-found", "picture-host-away"], {
    summary: "Remove an upload",
    description: "With the picture made of it, unless that is in use.",
    params,
    response: { 204: z.undefined() },
    answerHeaders: tus,
  }),
  see: forMembers(
    ["not-found", "storage-full", "newcomers-full", "too-many-uploads", ...imageRefusals],
    {
      summary: "See where an upload stands",
      description:
        "Once all of it arrived, a picture is made of it: ask until it is `ready`, then publish it by its " +
        "`imageId`. However often you ask, it is one picture. Unused, it is kept for seven days; older " +
        "ones than an hour make way when 40 wait.",
      params,
      response: { 200: seen },
    },
  ),
} as const;
