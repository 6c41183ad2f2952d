import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { sessionCookieName } from "#server/features/identity/sessions.ts";

/** The OpenAPI document of the calls, as @fastify/swagger makes it from their declarations. */
export type ApiDocument = OpenAPIV3_1.Document;

const description = `
Every call of this server. All bodies are JSON unless said otherwise; ids are UUIDs, times epoch
milliseconds. Sign in with \`POST /api/session\`: a browser gets a cookie, every other program takes the
\`token\` of the answer and sends it as \`Authorization: Bearer …\`.

An **address** in a path is a username, or the email of somebody who lets themselves be found by it.
Lists come in pages: send \`nextCursor\` back as \`?cursor=\` until it is null.

Whatever is refused is answered as \`{ "error": { "code", "message", "fields"?, "requestId" } }\`:
\`code\` is for programs and does not change, \`message\` is a sentence for people.
`.trim();

/** Collects what the routes of this scope declare; call it before they are. */
export async function addDocument(
  app: FastifyInstance,
  { publicUrl }: { publicUrl: string },
): Promise<void> {
  const secure = publicUrl.startsWith("https:");
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Postcard", version: "1", description },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: sessionCookieName(secure) },
          bearer: { type: "http", scheme: "bearer" },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (given) => withoutUnused(jsonSchemaTransformObject(given) as ApiDocument),
  });
}

/** Each schema exists once as input and once as output: what no call refers to goes. */
function withoutUnused(document: ApiDocument): ApiDocument {
  const schemas = document.components?.schemas ?? {};
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(
      /#\/components\/schemas\/([\w.-]+)/g,
    )) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow(document.paths ?? {});
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}
