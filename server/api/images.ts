import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  encodingOf,
  type ImageStore,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import { namesTag, parseRange } from "#server/api/byte-range.ts";
import type { Calls } from "#server/api/calls.ts";
import { readForm } from "#server/http/multipart.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { pictureRefusals } from "#server/api/parameters.ts";
import type { Uploads } from "#server/http/uploads.ts";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { ownCookie } from "#server/features/identity/index.ts";
import { networkOf } from "#server/networks.ts";
import { publicAddress } from "#server/features/posts/index.ts";
import { refuse } from "#shared/errors.ts";
import { pictureUrl } from "#shared/pictures.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  features: {
    images: Pick<Features["images"], "upload" | "find" | "mayModerate">;
    largePictures: Pick<Features["largePictures"], "open">;
    identity: { sessions: Pick<Features["identity"]["sessions"], "viewerOf"> };
    visitorUploads: Pick<Features["visitorUploads"], "receive" | "see">;
  };
  store: Pick<ImageStore, "open">;
  uploads: Uploads;
  config: Pick<Config, "publicUrl" | "corsOrigins" | "imageBaseUrl">;
};

/** Of every picture: it is shown and nothing else. */
const pictureHeaders = (type: VariantType) => ({
  "Content-Type": `image/${encodingOf(type)}`,
  "Content-Disposition": `inline; filename="picture.${encodingOf(type)}"`,
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
});

/**
 * POST /api/images: somebody sends a picture (multipart, field `image`).
 * GET /api/images/:id: whoever sent it sees it before it is used.
 * GET and HEAD /images/:key/:width.webp: everybody reads one variant of it, unless its account was
 * withdrawn; as AVIF where it is kept as one and asked for. GET /images/:key/large.webp: with all of
 * the original's pixels; GET /images/:key/moving.webp: with all frames of an animated one.
 */
export function imageRoutes({ features, store, uploads, config }: Deps) {
  const { images, visitorUploads } = features;
  const picturesUrl = config.imageBaseUrl ?? config.publicUrl;
  const secure = config.publicUrl.startsWith("https:");
  const uploaderCookie = ownCookie("upload", secure);

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { viewer } = request;
    const from = viewer?.id ?? networkOf(request.ip);
    const form = await readForm(request.raw, uploads, { maxFiles: 1, from });
    try {
      const file = form.file("image");
      if (!file) {
        const message = "Choose a picture to send.";
        throw refuse("input-invalid", { message, fields: { image: message } });
      }
      const sent = viewer ? await ofMember(viewer, file) : await ofVisitor(request, reply, file);
      const { url, id, width, height, thumbhash } = sent;
      const data = { id, display_url: url, url, width, height, thumbhash };
      return await reply.status(201).send({ data, success: true, status: 201 });
    } finally {
      await form.cleanup();
    }
  }

  async function ofMember(viewer: Viewer, file: ReceivedUpload) {
    const { imageId: id, picture } = await images.upload(viewer, file);
    return { ...picture, id, url: publicAddress(picturesUrl, picture) };
  }

  async function ofVisitor(request: FastifyRequest, reply: FastifyReply, file: ReceivedUpload) {
    const uploader = { ip: request.ip, token: uploaderOf(request) };
    const { received, address, token, lifetime } = await visitorUploads.receive(file, uploader);
    void reply.header("Set-Cookie", uploaderCookie.write(token, lifetime));
    const { id, width, height, thumbhash } = received;
    return { id, url: address, width, height, thumbhash: thumbhash.toString("base64") };
  }

  /** An upload at its own address, until it is used: for whoever sent it, and for nobody else. */
  async function see(request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) {
    const { viewer, params } = request;
    const found = await visitorUploads.see(params.id, { viewer, token: uploaderOf(request) });
    if (!found) throw refuse("not-found");
    if (found.claimed) return reply.redirect(pictureUrl(found.key, found.width), 302);
    const open = await store.open(found.key, found.width);
    if (!open) throw refuse("not-found");
    return reply
      .headers({ ...pictureHeaders("webp"), "Content-Length": open.bytes })
      .send(open.read());
  }

  const uploaderOf = ({ headers }: FastifyRequest) => uploaderCookie.read(headers.cookie);

  return async (app: Calls): Promise<void> => {
    await app.register(async (scope) => {
      // The form reader takes the stream as it comes, whatever it claims to be.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      scope.post("/api/images", { ...uploadDeclaration, handler: receive });
    });

    app.get<{ Params: { id: string } }>("/api/images/:id", { ...seeDeclaration, handler: see });

    app.route<{ Params: { key: string; file: string } }>({
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

const uploadDeclaration = {
  config: {
    access: "anybody",
    refusals: [
      "too-many-uploads",
      "too-many-writes",
      "storage-full",
      "newcomers-full",
      ...pictureRefusals,
    ],
  },
  schema: {
    tags: ["Pictures"],
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
  // What arrives is a stream that the form reader bounds and reads.
  validatorCompiler: () => () => true,
} as const;

const seeDeclaration = {
  config: { access: "anybody", refusals: ["not-found", "picture-host-away"] },
  schema: {
    tags: ["Pictures"],
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
  },
} as const;

type Serving = Pick<Deps, "features" | "store">;

/**
 * What lies under a key never changes: a browser that has it never asks again. It may be withdrawn, so a
 * shared cache asks after ten minutes, which costs a query and no bytes (decisions 0015 and 0186).
 */
const caching = "public, max-age=31536000, s-maxage=600, immutable";

/** One prepared query says whether a picture is still to be seen; a browser that has it gets no more. */
async function serveVariant(
  { features, store }: Serving,
  request: FastifyRequest<{ Params: { key: string; file: string } }>,
  reply: FastifyReply,
) {
  const { key, file } = request.params;
  // The only names that reach the store: no dot, slash or NUL gets through in any encoding.
  const [, named] = /^(large|moving|[1-9]\d{0,4})\.webp$/.exec(file) ?? [];
  const large = named === "large";
  const moving = named === "moving";
  const wanted = large || moving ? named : Number(named ?? 0);
  const served = await features.images.find(key, wanted);
  if (!served) throw refuse("not-found");
  const { width } = served;
  if (served.withdrawn && !(await mayModerate(features, request))) throw refuse("not-found");

  const { headers, method } = request;
  // One address for both, so that pages need not know what is there yet.
  const still = served.avif && takesAvif(headers.accept) ? "avif" : "webp";
  const type: VariantType = moving ? "moving" : still;
  const tag = type === "webp" ? `"${key}-${width}"` : `"${key}-${width}-${type}"`;
  const whole = {
    ...pictureHeaders(type),
    Vary: "Accept",
    "Cache-Control": served.withdrawn ? "private, no-store" : caching,
    ETag: tag,
    "Accept-Ranges": "bytes",
    // Apps in a browser are pages of other origins.
    ...(served.withdrawn
      ? { "Cross-Origin-Resource-Policy": "same-origin" }
      : {
          "Cross-Origin-Resource-Policy": "cross-origin",
          "Access-Control-Allow-Origin": reply.getHeader("access-control-allow-origin") ?? "*",
        }),
  };
  if (namesTag(headers["if-none-match"], tag)) return reply.headers(whole).status(304).send();

  const found = large
    ? await features.largePictures.open(key, width, () => senderOf(features, request))
    : await store.open(key, width, type);
  if (!found) {
    request.log.error({ key, width }, "the file of a picture is missing: see check-pictures");
    throw refuse("not-found");
  }
  void reply.headers(whole);
  if (method === "HEAD") {
    await found.close();
    return reply.header("Content-Length", found.bytes).send();
  }
  // A range of what the client no longer has is of no use to it.
  const current = headers["if-range"] === undefined || headers["if-range"] === tag;
  const range = current ? parseRange(headers.range, found.bytes) : null;
  if (range === "unsatisfiable") {
    await found.close();
    void reply
      .header("Content-Range", `bytes */${found.bytes}`)
      .header("Cache-Control", "no-store");
    return reply.status(416).send();
  }
  if (range) {
    const { start, end } = range;
    void reply.status(206).header("Content-Range", `bytes ${start}-${end}/${found.bytes}`);
    return reply.header("Content-Length", end - start + 1).send(found.read(range));
  }
  return reply.header("Content-Length", found.bytes).send(found.read());
}

/** Whose turn at the decoder it is: a member's own, or their network's. */
async function senderOf(
  { identity }: Deps["features"],
  { headers: { cookie, authorization }, ip }: FastifyRequest,
): Promise<string> {
  return (await identity.sessions.viewerOf({ cookie, authorization }))?.id ?? networkOf(ip);
}
/** Named in full: a wildcard is also sent by those who cannot show it. */
const takesAvif = (accept = "") => /\bimage\/avif\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accept);

/** Asked only for what others may not see: everybody else's pictures need no session. */
async function mayModerate(
  { identity, images }: Deps["features"],
  { headers: { cookie, authorization } }: FastifyRequest,
): Promise<boolean> {
  const viewer = await identity.sessions.viewerOf({ cookie, authorization });
  return viewer !== null && images.mayModerate(viewer);
}
