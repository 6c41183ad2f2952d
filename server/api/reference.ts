import type { Calls } from "#server/api/calls.ts";
import type { ApiDocument } from "#server/api/document.ts";
import { referencePage } from "#server/api/reference-page.ts";
import { themeOf } from "#server/http/page-context.ts";

/** GET /api/openapi.json: the document of all calls. GET /api: the same as a page for people. */
export async function referenceRoutes(app: Calls): Promise<void> {
  // Made at the first request, when every call is declared; it never changes after that.
  let text: string | undefined;
  let page: ReturnType<typeof referencePage> | undefined;
  const document = () => app.swagger() as ApiDocument;

  app.get("/api/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(document());
    void reply.header("Cache-Control", "public, max-age=300");
    return reply.type("application/json; charset=utf-8").send(text);
  });

  app.get("/api", { schema: { hide: true } }, async (request, reply) => {
    page ??= referencePage(document());
    const html = page({ nonce: request.nonce, theme: themeOf(request.headers.cookie) });
    void reply.header("Cache-Control", "private, no-store");
    return reply.type("text/html; charset=utf-8").send(html);
  });
}
