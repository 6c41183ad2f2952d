import type { FastifyReply, FastifyRequest } from "fastify";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { fileHeaders, sendFile } from "#server/api/files.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: { exports: Pick<Features["exports"], "find"> } };

/** GET and HEAD /exports/:id.zip: a member downloads their own archive, in parts if it is long. */
export function exportRoutes({ features }: Deps) {
  async function send(request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply) {
    const id = request.params.file.replace(/\.zip$/, "");
    const { file, name } = await features.exports.find(memberOf(request), id);
    const tag = `"${id}"`;
    void reply.headers({
      ...fileHeaders("application/zip", `attachment; filename="${name}"`),
      // No copy stays in any cache on the way, or in the browser.
      "Cache-Control": "private, no-store",
      ETag: tag,
      "Accept-Ranges": "bytes",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    return sendFile(request, reply, { file, tag });
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
