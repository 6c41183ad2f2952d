import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isImageKey, type ImageStore } from "#server/adapters/image-store/image-store.ts";
import { namesTag, parseRange } from "#server/api/byte-range.ts";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { readForm } from "#server/api/multipart.ts";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { refuse } from "#shared/errors.ts";
import { pictureUrl } from "#shared/pictures.ts";

type Deps = {
  features: { images: Pick<Features["images"], "upload"> };
  store: Pick<ImageStore, "open">;
  config: Pick<Config, "dataDir" | "publicUrl">;
};

/**
 * POST /api/images: a member sends a picture (multipart, field `image`).
 * GET and HEAD /images/:key/:width.webp: everybody reads one variant of it.
 */
export function imageRoutes({ features, store, config }: Deps) {
  const tmpDir = join(config.dataDir, "tmp");

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const viewer = memberOf(request);
    const form = await readForm(request.raw, tmpDir);
    try {
      const file = form.file("image");
      if (!file) {
        const message = "Choose a picture to send.";
        throw refuse("input-invalid", { message, fields: { image: message } });
      }
      const { imageId, picture } = await features.images.upload(viewer, file);
      const { key, width, height, thumbhash, widths } = picture;
      const url = config.publicUrl + pictureUrl(key, widths.at(-1) ?? width);
      const data = { id: imageId, display_url: url, url, width, height, thumbhash };
      return await reply.status(201).send({ data, success: true, status: 201 });
    } finally {
      await form.cleanup();
    }
  }

  return async (app: Calls): Promise<void> => {
    await app.register(async (uploads) => {
      // The form reader takes the stream as it comes, whatever it claims to be.
      uploads.removeAllContentTypeParsers();
      uploads.addContentTypeParser("*", (_request, _payload, done) => done(null));
      uploads.post("/api/images", { ...uploadDeclaration, handler: receive });
    });

    app.route<{ Params: { key: string; file: string } }>({
      method: ["GET", "HEAD"],
      url: "/images/:key/:file",
      // Cheap, immutable, and dozens to a page.
      config: { rateLimit: false },
      schema: { hide: true },
      logLevel: "warn",
      handler: (request, reply) => serveVariant(store, request, reply),
    });
  };
}

const uploadDeclaration = {
  config: {
    access: "member",
    refusals: [
      "picture-type",
      "picture-heic",
      "picture-unreadable",
      "picture-too-heavy",
      "picture-too-large",
      "picture-timeout",
      "form-broken",
    ],
  },
  schema: {
    tags: ["Pictures"],
    summary: "Send a picture",
    description:
      "JPEG, PNG, WebP, AVIF or GIF, 25 MB and 50 megapixels at most. Unused for an hour, it is removed.",
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
  },
  // What arrives is a stream that the form reader bounds and reads.
  validatorCompiler: () => () => true,
} as const;

/** Answers from the store alone: a variant that exists may be read, and no query is needed. */
async function serveVariant(
  store: Deps["store"],
  request: FastifyRequest<{ Params: { key: string; file: string } }>,
  reply: FastifyReply,
) {
  const { key, file } = request.params;
  // The only names that reach the store: no dot, slash or NUL gets through in any encoding.
  const width = /^([1-9]\d{0,4})\.webp$/.exec(file)?.[1];
  const found = isImageKey(key) && width ? await store.open(key, Number(width)) : null;
  if (!found) throw refuse("not-found");

  const tag = `"${key}-${width}"`;
  void reply.headers({
    // What lies under a key never changes.
    "Cache-Control": "public, max-age=31536000, immutable",
    ETag: tag,
    "Accept-Ranges": "bytes",
    "Content-Type": "image/webp",
    "Content-Disposition": 'inline; filename="picture.webp"',
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  });

  const { headers, method } = request;
  if (namesTag(headers["if-none-match"], tag)) {
    await found.close();
    return reply.status(304).send();
  }
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
