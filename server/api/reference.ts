import type { Calls } from "#server/api/calls.ts";

/** GET /api/openapi.json: the document of all calls, made once and kept as text. */
export async function referenceRoutes(app: Calls): Promise<void> {
  let text: string | undefined;

  app.get("/api/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply
      .header("Cache-Control", "public, max-age=300")
      .type("application/json; charset=utf-8")
      .send(text);
  });
}
