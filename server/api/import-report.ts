import type { FastifyReply, FastifyRequest } from "fastify";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { fileHeaders } from "#server/api/files.ts";
import type { Features } from "#server/features/index.ts";
import { found } from "#shared/errors.ts";
import { importReport } from "#shared/import-report.ts";

type Deps = { features: { imports: Pick<Features["imports"], "latest"> } };

/** GET /settings/data/import-report: what the member's newest import brought and left out, as a text file. */
export function importReportRoutes({ features }: Deps) {
  async function send(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const latest = found(await features.imports.latest(memberOf(request)));
    void reply.headers(
      fileHeaders("text/plain; charset=utf-8", 'attachment; filename="import-report.txt"'),
    );
    return importReport(latest);
  }

  return async (app: Calls): Promise<void> => {
    app.route({
      method: "GET",
      url: "/settings/data/import-report",
      config: { access: "member" },
      schema: { hide: true },
      handler: send,
    });
  };
}
