import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { afterEach, expect } from "vitest";
import type { ApiDocument } from "#server/api/document.ts";

/**
 * Holds every answer that a documented call gives anywhere in the test run against the document:
 * its status has to be declared, its body what the schema of that status says. Whatever app a test
 * makes announces itself (Fastify's channel fastify.initialization), so no test can forget it.
 */
const mismatches: string[] = shared();

/** One list and one listener for all test files that a worker runs one after the other. */
function shared(): string[] {
  const known = globalThis as { mismatchesOfAnswers?: string[] };
  if (known.mismatchesOfAnswers) return known.mismatchesOfAnswers;
  subscribe("fastify.initialization", hold);
  return (known.mismatchesOfAnswers = []);
}

function hold(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onSend", async (request, reply, payload) => {
    const mismatch = await mismatchOf(request, reply, payload);
    if (mismatch) {
      mismatches.push(`${request.method} ${request.url} → ${reply.statusCode}: ${mismatch}`);
    }
  });
}

afterEach(() => {
  expect(takeMismatches(), "answers that are not what the document declares").toEqual([]);
});

/** What was found since the last look; for the test of this hook. */
export function takeMismatches(): string[] {
  return mismatches.splice(0);
}

type Check = { (data: unknown): boolean; errors?: unknown };
const checks = new WeakMap<ApiDocument, Map<string, Check>>();

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
  if (!response.content[type]) return `the type ${type || "(none)"} is not declared`;
  if (type !== "application/json") return null;
  const place = [path, method.toLowerCase(), "responses", reply.statusCode, "content", type];
  const pointer = `/paths/${[...place, "schema"].map(escape).join("/")}`;
  const check = await checkOf(document, pointer);
  return check(JSON.parse(String(payload))) ? null : JSON.stringify(check.errors);
}

async function checkOf(document: ApiDocument, pointer: string): Promise<Check> {
  const known = checks.get(document) ?? new Map<string, Check>();
  checks.set(document, known);
  const existing = known.get(pointer);
  if (existing) return existing;
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  // `discriminator`, `xml` and the like are OpenAPI's own words
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  const made = ajv.compile({ $ref: `document#${pointer}` });
  known.set(pointer, made);
  return made;
}

/** A name inside a JSON pointer (RFC 6901) inside a URI fragment. */
function escape(name: string | number): string {
  return encodeURIComponent(String(name).replaceAll("~", "~0").replaceAll("/", "~1"));
}
