import type { FastifyReply, FastifyRequest } from "fastify";
import {
  encodingOf,
  type ImageStore,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import { matchesEtag } from "#server/api/byte-range.ts";
import type { Calls } from "#server/api/calls.ts";
import { fileHeaders, sendFile } from "#server/api/files.ts";
import { takesAvif } from "#server/api/images.ts";
import type { Features } from "#server/features/index.ts";
import { clientOf } from "#server/http/request-client.ts";
import { found, refuse } from "#shared/errors.ts";
import { largestVariant } from "#shared/image-urls.ts";
import { limits } from "#shared/limits.ts";

type Deps = { features: Pick<Features, "guests">; store: Pick<ImageStore, "open"> };
type Photo = { Params: { id: string; key: string; file: string } };
type Serve = (deps: Deps, request: FastifyRequest<Photo>, reply: FastifyReply) => Promise<unknown>;

/** Nothing of a link stays anywhere on the way; a browser asks each time it shows a photo. */
const guarded = { "Cross-Origin-Resource-Policy": "same-origin" };
const asksAgain = { ...guarded, "Cache-Control": "private, no-cache" };
const notStored = { ...guarded, "Cache-Control": "private, no-store" };

/**
 * GET /shared/:id/photos/:key/:file: a photo of a link, for who has its cookie. GET /shared/:id/save/:key: the same
 * to save, where the link allows it. GET /shared/:id/photos.zip: all of them. GET /shared/:id/page.json: a further
 * page of what it shows, for the slide show. GET /l/:token/preview.webp: what a messenger shows of an address, where
 * its maker allows it.
 */
export function guestFileRoutes(deps: Deps) {
  return async (app: Calls): Promise<void> => {
    const get = (url: string, serve: Serve, method: ("GET" | "HEAD")[] = ["GET", "HEAD"]) =>
      app.route<Photo>({
        method,
        url,
        exposeHeadRoute: false,
        // A page has dozens of photos.
        config: serve === servePhoto ? { rateLimit: false } : {},
        schema: { hide: true },
        logLevel: "warn",
        handler: (request, reply) => serve(deps, request, reply),
      });
    get("/shared/:id/photos/:key/:file", servePhoto);
    get("/shared/:id/save/:key", savePhoto);
    get("/shared/:id/page.json", serveMore);
    // A HEAD would be a zip for nobody.
    get("/shared/:id/photos.zip", serveZip, ["GET"]);
    get("/l/:key/preview.webp", servePreview);
  };
}

const servePhoto: Serve = async ({ features, store }, request, reply) => {
  const { id, key, file } = request.params;
  const photo = found(await features.guests.photo(id, key, clientOf(request)));
  const [, named] = /^(moving|[1-9]\d{0,4})\.webp$/.exec(file) ?? [];
  const width = named === "moving" ? photo.movingWidth : Number(named ?? 0);
  if (width === null || (named !== "moving" && !photo.widths.includes(width))) {
    throw refuse("not-found");
  }
  const avif = photo.avifWidths?.includes(width) && takesAvif(request.headers.accept);
  const type: VariantType = named === "moving" ? named : avif ? "avif" : "webp";
  const tag = `"${key}-${width}-${type}"`;
  void reply.headers({
    ...fileHeaders(`image/${encodingOf(type)}`, `inline; filename="picture.${encodingOf(type)}"`),
    ...asksAgain,
    Vary: "Accept, Cookie",
    ETag: tag,
  });
  if (matchesEtag(request.headers["if-none-match"], tag)) return reply.status(304).send();
  return sendFile(request, reply, { file: found(await store.open(key, width, type)), tag });
};

const savePhoto: Serve = async ({ features, store }, request, reply) => {
  const { id, key } = request.params;
  const { widths, downloads } = found(await features.guests.photo(id, key, clientOf(request)));
  const width = widths.at(-1);
  if (!downloads || width === undefined) throw refuse("not-found");
  const file = found(await store.open(key, width));
  const name = `postcard-${key.slice(0, 8)}.webp`;
  void reply.headers({
    ...fileHeaders("image/webp", `attachment; filename="${name}"`),
    ...notStored,
  });
  return sendFile(request, reply, { file, tag: `"${key}-${width}"` });
};

const serveMore: Serve = async ({ features }, request, reply) => {
  const { cursor } = request.query as { cursor?: string };
  const from = typeof cursor === "string" ? cursor : null;
  const page = await features.guests.more(request.params.id, from, clientOf(request));
  return reply.headers(notStored).send(page);
};

const serveZip: Serve = async ({ features }, request, reply) => {
  const zip = await features.guests.zip(request.params.id, clientOf(request));
  void reply.headers({
    ...fileHeaders("application/zip", 'attachment; filename="photos.zip"'),
    ...notStored,
  });
  return reply.send(zip);
};

const servePreview: Serve = async ({ features, store }, request, reply) => {
  const shown = await features.guests.preview(request.params.key, request.ip);
  const photo = found(shown?.photo);
  const { width } = largestVariant(photo, limits.sharedLinks.previewWidth);
  const key = photo.key.split("/").at(-1) ?? "";
  const file = found(await store.open(key, width));
  void reply.headers({ ...fileHeaders("image/webp", "inline"), ...asksAgain });
  return sendFile(request, reply, { file, tag: `"${key}-${width}"` });
};
