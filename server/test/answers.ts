import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { afterAll, afterEach, expect } from "vitest";
import type { ApiDocument } from "#server/api/document.ts";

/**
 * Compares every response of a documented call, anywhere in the test run, with the document: its status must
 * be declared, and its body must match the schema of that status. Every app that a test makes announces
 * itself (Fastify's channel fastify.initialization), so no test can forget it.
 */
const mismatches: string[] = [];

function checkResponses(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onSend", async (request, reply, payload) => {
    const mismatch = await mismatchOf(request, reply, payload);
    if (mismatch) {
      mismatches.push(`${request.method} ${request.url} → ${reply.statusCode}: ${mismatch}`);
    }
  });
}

subscribe("fastify.initialization", checkResponses);
// Files share a process, and each loads this module again.
afterAll(() => {
  unsubscribe("fastify.initialization", checkResponses);
});

afterEach(() => {
  expect(takeMismatches(), "answers that are not what the document declares").toEqual([]);
});

/** The mismatches since the last call; for the test of this hook. */
export function takeMismatches(): string[] {
  return mismatches.splice(0);
}

type Check = { (data: unknown): boolean; errors?: unknown };
/** By the JSON pointer of a schema in its document. */
type Checks = (pointer: string) => Check;
const checks = new WeakMap<ApiDocument, Promise<Checks>>();

async function mismatchOf(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { server, method, routeOptions } = request;
  const declared = routeOptions.schema;
  if (!declared || declared.hide || method === "HEAD" || method === "OPTIONS") return null;
  const document = server.swagger() as ApiDocument;
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
