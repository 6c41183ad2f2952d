import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  encodingOf,
  type ImageStore,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import { matchesEtag } from "#server/api/byte-range.ts";
import type { Calls } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { fileHeaders, addStreamed, sendFile, withUploadedImage } from "#server/api/files.ts";
import type { Credentials, ReceivedUpload } from "#server/features/types.ts";
import { imageRefusals } from "#server/api/parameters.ts";
import { forEverybody, forModerators, forSome } from "#server/api/image-caching.ts";
import type { Uploads } from "#server/http/uploads.ts";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { ownCookie } from "#server/features/identity/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import { found, refuse } from "#shared/errors.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  features: {
    images: Pick<Features["images"], "upload" | "find" | "mayModerate">;
    largeImages: Pick<Features["largeImages"], "open">;
    imagePasses: Pick<Features["imagePasses"], "read">;
    identity: { sessions: Pick<Features["identity"]["sessions"], "viewerOf" | "tokenHashIn"> };
    visitorUploads: Pick<Features["visitorUploads"], "receive" | "see" | "addressOf">;
  };
  store: Pick<ImageStore, "open">;
  uploads: Uploads;
  config: Pick<Config, "publicUrl">;
};

const imageHeaders = (type: VariantType) =>
  fileHeaders(`image/${encodingOf(type)}`, `inline; filename="picture.${encodingOf(type)}"`);

/**
 * POST /api/images: uploads an image (multipart, field `image`).
 * GET /api/images/:id: its sender sees it before it is used.
 * GET and HEAD /images/:key/:width.webp: one variant of it for everybody, unless its account was withdrawn;
 * as AVIF where that is stored and accepted. GET /images/:key/large.webp: with all of the original's pixels;
 * GET /images/:key/moving.webp: with all frames of an animated one.
 */
export function imageRoutes({ features, store, uploads, config }: Deps) {
  const { images, visitorUploads } = features;
  const secure = config.publicUrl.startsWith("https:");
  const uploaderCookie = ownCookie("upload", secure);

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { viewer } = request;
    const from = viewer?.id ?? networkOf(request.ip);
    return withUploadedImage(request, { uploads, from }, async (file) => {
      const sent = viewer ? await ofMember(viewer, file) : await ofVisitor(request, reply, file);
      const { url, id, width, height, thumbhash } = sent;
      const data = { id, display_url: url, url, width, height, thumbhash };
      return reply.status(201).send({ data, success: true, status: 201 });
    });
  }

  async function ofMember(viewer: Viewer, file: ReceivedUpload) {
    const { imageId: id, picture } = await images.upload(viewer, file);
    return { ...picture, id, url: visitorUploads.addressOf(picture) };
  }

  async function ofVisitor(request: FastifyRequest, reply: FastifyReply, file: ReceivedUpload) {
    const uploader = { ip: request.ip, token: uploaderOf(request) };
    const { received, address, token, lifetime } = await visitorUploads.receive(file, uploader);
    void reply.header("Set-Cookie", uploaderCookie.write(token, lifetime));
    const { id, width, height, thumbhash } = received;
    return { id, url: address, width, height, thumbhash: thumbhash.toString("base64") };
  }

  /** An upload at its own address, until it is used: for its sender alone. */
  async function see(request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) {
    const { viewer, params } = request;
    const seen = await visitorUploads.see(params.id, { viewer, token: uploaderOf(request) });
    const { key, width, claimed } = found(seen);
    if (claimed) return reply.redirect(imageUrl(key, width), 302);
    const open = found(await store.open(key, width));
    return reply
      .headers({ ...imageHeaders("webp"), "Content-Length": open.bytes })
      .send(open.read());
  }

  const uploaderOf = ({ headers }: FastifyRequest) => uploaderCookie.read(headers.cookie);

  return async (app: Calls): Promise<void> => {
    await addStreamed(app, (scope) => {
      scope.post("/api/images", { ...declared.upload, handler: receive });
    });

    app.get<{ Params: { id: string } }>("/api/images/:id", { ...declared.see, handler: see });

    app.route<Asked>({
      method: ["GET", "HEAD"],
      url: "/images/:key/:file",
      // Cheap, and dozens to a page.
      config: { rateLimit: false },
      schema: { hide: true },
      logLevel: "warn",
      handler: (request, reply) => serveVariant({ features, store }, request, reply),
    });
  };
}

const { forAnybody } = chapter("Pictures");

const declared = {
  upload: forAnybody(
    ["too-many-uploads", "too-many-writes", "storage-full", "newcomers-full", ...imageRefusals],
    {
      summary: "Send a picture",
      description:
        "JPEG, PNG, WebP, AVIF, HEIC or GIF, 25 MB and 50 megapixels at most. Unused for an hour, it is " +
        "removed; a member can have 40 waiting. A visitor may send 5 an hour (counted by network) and " +
        "names one by its `display_url` when signing up; until then nobody else sees it.",
      consumes: ["multipart/form-data"],
      body: z.object({ image: z.string().meta({ format: "binary", description: "the file" }) }),
      response: {
        201: z.object({
          data: z.object({
            id: z.uuid(),
            display_url: z.url().describe("the address to use as image, uploadImg or photoURL"),
            url: z.url(),
            width: z.number().int().describe("pixels"),
            height: z.number().int().describe("pixels"),
            thumbhash: z.string().describe("a blurred preview, base64"),
          }),
          success: z.literal(true),
          status: z.literal(201),
        }),
      },
      answerHeaders: { "Set-Cookie": "for a visitor: the cookie by which they see their picture" },
    },
  ),
  see: forAnybody(["not-found", "picture-host-away"], {
    summary: "See a picture you sent",
    description:
      "For the browser that sent it as a visitor, told by a cookie, until it is used; the member it " +
      "belongs to is led on to its public address.",
    params: z.object({ id: z.string().describe("`data.id` of the upload") }),
    response: {
      200: {
        description: "the picture",
        content: { "image/webp": { schema: z.string().meta({ format: "binary" }) } },
      },
      302: z.undefined().describe("it is in use, and shown at its public address"),
    },
    answerHeaders: { Location: "with 302: its public address" },
  }),
};

type Serving = Pick<Deps, "features" | "store">;
type Asked = {
  Params: { key: string; file: string };
  Querystring: { pass?: string | string[] };
};

/** One prepared query says whether an image may still be shown; a browser that has it gets nothing more. */
async function serveVariant(
  { features, store }: Serving,
  request: FastifyRequest<Asked>,
  reply: FastifyReply,
) {
  const { key, file } = request.params;
  // Only these names reach the store: no dot, slash or NUL gets through in any encoding.
  const [, named] = /^(large|moving|[1-9]\d{0,4})\.webp$/.exec(file) ?? [];
  const wanted = named === "large" || named === "moving" ? named : Number(named ?? 0);
  const credentials = credentialsOf(features, request);
  const { width, avif, withdrawn, gated } = found(
    await features.images.find(key, wanted, credentials),
  );
  if (withdrawn && !(await mayModerate(features, request))) throw refuse("not-found");

  // One address for both, so that pages need not know which of them exists yet.
  const still = avif && takesAvif(request.headers.accept) ? "avif" : "webp";
  const type: VariantType = wanted === "moving" ? wanted : still;
  const tag = type === "webp" ? `"${key}-${width}"` : `"${key}-${width}-${type}"`;
  const headers = {
    ...imageHeaders(type),
    Vary: "Accept",
    ETag: tag,
    "Accept-Ranges": "bytes",
    ...(withdrawn ? forModerators : gated ? forSome(credentials) : forEverybody(reply)),
  };
  if (matchesEtag(request.headers["if-none-match"], tag)) {
    return reply.headers(headers).status(304).send();
  }
  const open =
    wanted === "large"
      ? await features.largeImages.open(key, width, () => senderOf(features, request))
      : await store.open(key, width, type);
  if (!open) {
    request.log.error({ key, width }, "an image file is missing: see check-pictures");
    throw refuse("not-found");
  }
  return sendFile(request, reply.headers(headers), { file: open, tag });
}

/** The pass in the address, if there is a good one; otherwise the session. */
function credentialsOf(
  { identity, imagePasses }: Deps["features"],
  { params, query, headers }: FastifyRequest<Asked>,
): Credentials {
  const holder = imagePasses.read(query.pass, params.key);
  const tokenHash = holder === null ? identity.sessions.tokenHashIn(headers) : null;
  return { holder, tokenHash };
}

/** Whose queue at the decoder it joins: the member's own, or that of the visitor's network. */
async function senderOf(
  { identity }: Deps["features"],
  { headers, ip }: FastifyRequest,
): Promise<string> {
  return (await identity.sessions.viewerOf(headers))?.id ?? networkOf(ip);
}
/** Named explicitly: browsers that can't show AVIF also send wildcards. */
export const takesAvif = (accept = "") =>
  /\bimage\/avif\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accept);

/** Checked only for what others may not see: other images need no session. */
async function mayModerate(
  { identity, images }: Deps["features"],
  { headers }: FastifyRequest,
): Promise<boolean> {
  const viewer = await identity.sessions.viewerOf(headers);
  return viewer !== null && images.mayModerate(viewer);
}
