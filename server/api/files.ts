import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";
import { parseRange } from "#server/api/byte-range.ts";
import { checkAllButBody, type Calls } from "#server/api/calls.ts";
import { readForm } from "#server/http/multipart.ts";
import type { Uploads } from "#server/http/uploads.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";

/** Headers of every file that is sent: it may be shown or saved, and nothing else. */
export const fileHeaders = (type: string, disposition: string) => ({
  "Content-Type": type,
  "Content-Disposition": disposition,
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
});

/** The same for an image that not everybody may see. */
export const privateImageHeaders = {
  ...fileHeaders("image/webp", 'inline; filename="picture.webp"'),
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Answers with a file, or with the requested part of it; a HEAD gets its length alone. */
export async function sendFile(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { file, tag }: { file: OpenVariant; tag: string },
) {
  const { bytes } = file;
  if (method === "HEAD") {
    await file.close();
    return reply.header("Content-Length", bytes).send();
  }
  // A range of a file the client no longer has is useless to it.
  const current = headers["if-range"] === undefined || headers["if-range"] === tag;
  const range = current ? parseRange(headers.range, bytes) : null;
  if (range === "unsatisfiable") {
    await file.close();
    void reply.header("Content-Range", `bytes */${bytes}`).header("Cache-Control", "no-store");
    return reply.status(416).send();
  }
  if (!range) return reply.header("Content-Length", bytes).send(file.read());
  const { start, end } = range;
  void reply.status(206).header("Content-Range", `bytes ${start}-${end}/${bytes}`);
  return reply.header("Content-Length", end - start + 1).send(file.read(range));
}

/** Adds calls whose reader takes and bounds the body as it comes, whatever type it claims to be. */
export const addStreamed = (app: Calls, add: (scope: Calls) => void) =>
  app.register(async (scope: Calls) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.setValidatorCompiler(checkAllButBody);
    add(scope);
  });

/**
 * Reads a form with one image, `image`, whose temporary file is removed when the work is done. `from`: whose
 * uploads are counted together.
 */
export async function withUploadedImage<Answer>(
  request: FastifyRequest,
  { uploads, from }: { uploads: Uploads; from: string },
  work: (picture: ReceivedUpload, fields: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const form = await readForm(request.raw, uploads, { maxFiles: 1, from });
  try {
    const image = form.file("image");
    if (image) return await work(image, form.fields);
    const message = "Choose a picture to send.";
    throw refuse("input-invalid", { message, fields: { image: message } });
  } finally {
    await form.cleanup();
  }
}
