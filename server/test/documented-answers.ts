import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiDocument } from "#server/api/document.ts";

type Check = { (data: unknown): boolean; errors?: unknown };
/** By the JSON pointer of a schema in its document. */
type Checks = (pointer: string) => Check;
const checks = new WeakMap<ApiDocument, Promise<Checks>>();

type DocumentOf = (app: FastifyInstance) => ApiDocument;

/** By the routes of an app: those of the same routes say the same of them, and writing it takes as long as a test. */
const documents = new Map<string, ApiDocument>();

/** Call it before an app has routes; returns what writes its document, or finds it. */
export function noteRoutes(app: FastifyInstance): DocumentOf {
  const routes: string[] = [];
  app.addHook("onRoute", ({ method, url }) => void routes.push(`${String(method)} ${url}`));
  return (scope) => {
    const key = routes.join("\n");
    const document = documents.get(key) ?? (scope.swagger() as ApiDocument);
    documents.set(key, document);
    return document;
  };
}

/** What an answer has that its document does not declare, or lacks; null if it is as declared. */
export async function mismatchOf(
  documentOf: DocumentOf,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<string | null> {
  const { server, method, routeOptions } = request;
  const declared = routeOptions.schema;
  if (!declared || declared.hide || method === "HEAD" || method === "OPTIONS") return null;
  const document = documentOf(server);
  const path = routeOptions.url?.replace(/:(\w+)/g, "{$1}") ?? "";
  const operation = document.paths?.[path]?.[method.toLowerCase() as "get"];
  if (!operation) return "the call is not in the document";
  const response = operation.responses?.[reply.statusCode];
  if (!response || "$ref" in response) return "this status is not declared";
  const type = String(reply.getHeader("content-type") ?? "").split(";", 1)[0] ?? "";
  if (!response.content) return payload ? "a body where none is declared" : null;
  const declaredType = response.content[type];
  if (!declaredType) return `the type ${type || "(none)"} is not declared`;
  if (type !== "application/json") return null;
  const place = [path, method.toLowerCase(), "responses", reply.statusCode, "content", type];
  // Most refusals share a schema, which is compiled once.
  const { $ref: shared } = (declaredType.schema ?? {}) as { $ref?: string };
  const pointer = shared ?? `#/paths/${[...place, "schema"].map(escape).join("/")}`;
  const found = checks.get(document) ?? checksOf(document);
  checks.set(document, found);
  const check = (await found)(pointer);
  return check(JSON.parse(String(payload))) ? null : JSON.stringify(check.errors);
}

async function checksOf(document: ApiDocument): Promise<Checks> {
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  // OpenAPI adds words of its own, such as `discriminator`; the document has its own test
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  const made = new Map<string, Check>();
  return (pointer) => {
    const check = made.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
    made.set(pointer, check);
    return check;
  };
}

/** Escapes a name for a JSON pointer (RFC 6901) in a URI fragment. */
function escape(name: string | number): string {
  return encodeURIComponent(String(name).replaceAll("~", "~0").replaceAll("/", "~1"));
}
