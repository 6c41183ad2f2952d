import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { addCalls } from "#server/api/calls.ts";
import type { ApiDocument } from "#server/api/document.ts";
import { takeMismatches } from "#server/test/answers.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { addErrorMapper } from "#server/http/errors.ts";
import fastify from "fastify";

const { db } = await freshDatabase();
const { app } = await testApp(db);

/** A few calls declared as any other, with nobody signed in. */
async function smallApp() {
  const small = fastify();
  small.decorateRequest("viewer", null);
  addErrorMapper(small);
  await small.register(async (scope) => {
    const identity = { viewerOf: async () => null };
    const calls = scope.withTypeProvider<ZodTypeProvider>();
    await addCalls(calls, { features: { identity }, publicUrl: "http://localhost" });
    const schema = {
      tags: ["Test"],
      summary: "Say it again",
      body: z.object({ word: z.string("Say a word.").max(5, "Say less.") }),
      response: { 200: z.object({ said: z.string() }) },
    };
    calls.post("/api/echo", { config: { access: "anybody" }, schema }, async ({ body }) => ({
      said: body.word,
    }));
    calls.put(
      "/api/members",
      {
        config: { access: "member" },
        schema: { tags: ["Test"], summary: "Members", response: { 200: z.object({}) } },
      },
      async () => ({}),
    );
  });
  return small;
}

const post = async (payload: string | object, type = "application/json") =>
  (await smallApp()).inject({
    method: "POST",
    url: "/api/echo",
    payload,
    headers: { "content-type": type },
  });

describe("the document of the calls", () => {
  test("is OpenAPI 3.1 and valid", async () => {
    const answer = await app.inject({ url: "/api/openapi.json" });
    expect(answer.headers["content-type"]).toContain("application/json");
    const document = answer.json<ApiDocument>();
    expect(document.openapi).toBe("3.1.0");
    const { valid, errors } = await new Validator().validate(answer.json());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test("refers to every schema that it holds", async () => {
    const answer = await app.inject({ url: "/api/openapi.json" });
    const { components } = answer.json<ApiDocument>();
    for (const name of Object.keys(components?.schemas ?? {})) {
      expect(answer.body).toContain(`#/components/schemas/${name}"`);
    }
  });
});

describe("an answer in a test", () => {
  test("that is not what the document declares is found, whatever the test looks at", async () => {
    const small = fastify();
    small.decorateRequest("viewer", null);
    await small.register(async (scope) => {
      const calls = scope.withTypeProvider<ZodTypeProvider>();
      const identity = { viewerOf: async () => null };
      await addCalls(calls, { features: { identity }, publicUrl: "http://localhost" });
      const schema = {
        tags: ["Test"],
        summary: "Answers",
        response: { 200: z.object({ name: z.string() }) },
      };
      const config = { access: "anybody" } as const;
      const answers = { "/api/right": { name: "Ada" }, "/api/wrong": { name: 3 } };
      for (const [url, answer] of Object.entries(answers)) {
        calls.get(url, { config, schema }, async (_request, reply) => reply.send(answer as never));
      }
      const told = { name: "Ada", email: "ada@example.org" };
      calls.get("/api/talkative", { config, schema }, async () => told);
      calls.get("/api/surprising", { config, schema }, async (_request, reply) =>
        reply.status(418 as 200).send({ name: "Ada" }),
      );
    });
    await small.inject({ url: "/api/right" });
    expect(takeMismatches()).toEqual([]);
    for (const url of ["/api/wrong", "/api/talkative", "/api/surprising"]) {
      await small.inject({ url });
      expect(takeMismatches()).toEqual([expect.stringContaining(url)]);
    }
  });
});

describe("a declared call", () => {
  test("answers what fits its schema", async () => {
    expect((await post({ word: "hello" })).json()).toEqual({ said: "hello" });
  });

  test.each([
    ["a field missing", {}, { word: "Say a word." }],
    ["a field too long", { word: "goodbye" }, { word: "Say less." }],
    ["a list instead", [], { form: expect.any(String) }],
    ["nothing at all", "", { form: expect.any(String) }],
  ])("names the field: %s", async (_what, payload, fields) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: "input-invalid", fields } });
  });

  test.each([
    ["{", "application/json", 400, "input-invalid"],
    ['{"__proto__": {"word": "x"}}', "application/json", 400, "input-invalid"],
    ["word=hello", "application/x-www-form-urlencoded", 415, "media-type"],
    ["hello", "text/plain", 415, "media-type"],
  ])("refuses the body %s as %s", async (payload, type, status, code) => {
    const answer = await post(payload, type);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
  });

  test("asks a visitor to sign in before it reads anything", async () => {
    const answer = await (
      await smallApp()
    ).inject({
      method: "PUT",
      url: "/api/members",
      payload: "{",
      headers: { "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: "sign-in-required" } });
    expect(answer.headers["cache-control"]).toContain("no-store");
  });

  test("cannot leave out what it does, answers or who may call it", async () => {
    const small = fastify();
    const register = async () => {
      await small.register(async (scope) => {
        const identity = { viewerOf: async () => null };
        const calls = scope.withTypeProvider<ZodTypeProvider>();
        await addCalls(calls, {
          features: { identity },
          publicUrl: "http://localhost",
        });
        calls.get("/api/secret", async () => ({}));
      });
      await small.ready();
    };
    await expect(register()).rejects.toThrow("GET /api/secret must declare");
  });
});
