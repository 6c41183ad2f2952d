import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, expect } from "vitest";
import { mismatchOf, noteRoutes } from "#server/test/documented-answers.ts";
import { untranslatedIn } from "#server/test/untranslated.ts";

/**
 * Compares every response of a documented call, anywhere in the test run, with the document: its status must
 * be declared, and its body must match the schema of that status. Every app that a test makes announces
 * itself (Fastify's channel fastify.initialization), so no test can forget it. And what any call refuses with must be
 * a sentence that is translated.
 */
const mismatches: string[] = [];
const untranslated: string[] = [];

function checkResponses(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  const documentOf = noteRoutes(fastify);
  fastify.addHook("onSend", async (request, reply, payload) => {
    const mismatch = await mismatchOf(documentOf, request, reply, payload);
    if (mismatch) {
      mismatches.push(`${request.method} ${request.url} → ${reply.statusCode}: ${mismatch}`);
    }
    if (reply.statusCode >= 400) untranslated.push(...untranslatedIn(payload));
  });
}

subscribe("fastify.initialization", checkResponses);
// Files share a process, and each loads this module again.
afterAll(() => {
  unsubscribe("fastify.initialization", checkResponses);
});

afterEach(() => {
  expect(takeMismatches(), "answers that are not what the document declares").toEqual([]);
  expect(untranslated.splice(0), "sentences that messages/*/refusals.json lacks").toEqual([]);
});

/** The mismatches since the last call; for the test of this hook. */
export function takeMismatches(): string[] {
  return mismatches.splice(0);
}
