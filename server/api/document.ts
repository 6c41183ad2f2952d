import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { sessionCookieName } from "#server/features/identity/index.ts";

/** The OpenAPI document of the calls, made by @fastify/swagger from their declarations. */
export type ApiDocument = OpenAPIV3_1.Document;

const description = `
Every call of this server. All bodies are JSON unless said otherwise; ids are UUIDs, times epoch
milliseconds. Sign in with \`POST /api/session\`: a browser gets a cookie, every other program takes the
\`token\` of the answer and sends it as \`Authorization: Bearer …\`.

An **address** in a path is a username, or the email of someone who can be found by it.
Lists come in pages: send \`nextCursor\` back as \`?cursor=\` until it is null.

Whatever is refused is answered as \`{ "error": { "code", "message", "fields"?, "requestId" } }\`:
\`code\` is for programs and does not change, \`message\` is a sentence for people.
`.trim();

/** Collects what the routes of this scope declare; call it before they are declared. */
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
    transform: (given) => {
      const { schema, url } = jsonSchemaTransform(given);
      const response = withHeads(schema?.["response"], given.schema?.answerHeaders);
      return { schema: { ...schema, ...(response && { response }) }, url };
    },
    transformObject: (given) => withoutUnused(jsonSchemaTransformObject(given) as ApiDocument),
  });
}

type Answers = Record<string, object>;
type Header = { type: "string" | "integer"; description: string };

const retryAfter: Header = {
  type: "integer",
  description: "seconds until another try makes sense, where that is known",
};

/**
 * Gives each answer the words of its status, where it has none of its own, and its headers, beside its
 * schema, where @fastify/swagger looks for both.
 */
function withHeads(
  answers: unknown,
  headerDescriptions: Readonly<Record<string, string>> = {},
): Answers | null {
  if (!answers) return null;
  const ofGoodOnes = Object.entries(headerDescriptions).map(
    ([name, description]): [string, Header] => {
      return [name, { type: "string", description }];
    },
  );
  const headsOf = (status: number): [string, Header][] => {
    if (status < 400) return ofGoodOnes;
    return status === 429 || status === 503 ? [["Retry-After", retryAfter]] : [];
  };
  const entries = Object.entries(answers as Answers).map(([status, answer]) => {
    const heads = headsOf(Number(status));
    const headers = heads.length > 0 ? { headers: Object.fromEntries(heads) } : {};
    return [status, { description: STATUS_CODES[status], ...answer, ...headers }];
  });
  return Object.fromEntries(entries) as Answers;
}

/** Each schema exists once as input and once as output: those that no call refers to are removed. */
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
  const usedSchemas = Object.entries(schemas).filter(([name]) => used.has(name));
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(usedSchemas) },
  };
}
