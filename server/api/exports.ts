import type { FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "#server/api/byte-range.ts";
import { memberOf, type Calls } from "#server/api/calls.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: { exports: Pick<Features["exports"], "find"> } };

/** GET and HEAD /exports/:id.zip: a member fetches the own archive, in parts if it is long. */
export function exportRoutes({ features }: Deps) {
  async function send(
    request: FastifyRequest<{ Params: { file: string } }>,
    reply: FastifyReply,
  ): Promise<unknown> {
    const id = request.params.file.replace(/\.zip$/, "");
    const { file, name } = await features.exports.find(memberOf(request), id);
    const { bytes } = file;
    const tag = `"${id}"`;
    void reply.headers({
      // No copy stays with anybody on the way, or in the browser.
      "Cache-Control": "private, no-store",
      ETag: tag,
      "Accept-Ranges": "bytes",
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    });
    if (request.method === "HEAD") {
      await file.close();
      return reply.header("Content-Length", bytes).send();
    }
    const { headers } = request;
    const current = headers["if-range"] === undefined || headers["if-range"] === tag;
    const range = current ? parseRange(headers.range, bytes) : null;
    if (range === "unsatisfiable") {
      await file.close();
      return reply.status(416).header("Content-Range", `bytes */${bytes}`).send();
    }
    if (!range) return reply.header("Content-Length", bytes).send(file.read());
    const { start, end } = range;
    void reply.status(206).header("Content-Range", `bytes ${start}-${end}/${bytes}`);
    return reply.header("Content-Length", end - start + 1).send(file.read(range));
  }

  return async (app: Calls): Promise<void> => {
    app.route<{ Params: { file: string } }>({
      method: ["GET", "HEAD"],
      url: "/exports/:file",
      config: { access: "member" },
      schema: { hide: true },
      handler: send,
    });
  };
}
