import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { accessMatrix } from "#server/test/access-matrix.ts";
import { addCalls } from "#server/api/calls.ts";
import type { ApiDocument } from "#server/api/document.ts";
import { takeMismatches } from "#server/test/answers.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { addErrorMapper } from "#server/http/errors.ts";
import fastify from "fastify";

const { db } = await freshDatabase();
const { app, call, features } = await testApp(db);

/** A few calls declared like all others, with nobody signed in. */
async function smallApp() {
  const small = fastify();
  small.decorateRequest("viewer", null);
  addErrorMapper(small);
  await small.register(async (scope) => {
    const identity = { sessions: { viewerOf: async () => null, renewedCookies: () => [] } };
    const calls = scope.withTypeProvider<ZodTypeProvider>();
    await addCalls(calls, {
      features: { identity, imagePasses: { issue: () => "" } },
      publicUrl: "http://localhost",
    });
    const schema = {
      tags: ["Test"],
      summary: "Say it again",
      body: z.object({ word: z.string("required*").max(5, "Use at most 5 characters.") }),
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

async function operations() {
  const { paths } = (await app.inject({ url: "/api/openapi.json" })).json<ApiDocument>();
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>).map(
      ([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` }),
    ),
  );
}

describe("what generated clients are made from", () => {
  test("is every call, each under its own name", async () => {
    const described = await operations();
    // Calls of our own pages are not for programs.
    const all = Object.keys(accessMatrix)
      .filter((name) => !name.includes(" /calls/"))
      .map((name) => name.replace(/:(\w+)/g, "{$1}"));
    const picture = "GET /api/moderation/cases/{caseId}/pictures/{key}";
    const itself = new Set(["GET /api", "GET /api/openapi.json", picture]);
    expect(described.map(({ name }) => name).toSorted()).toEqual(
      all.filter((name) => !itself.has(name)).toSorted(),
    );
    const ids = described.map(({ operationId }) => operationId ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(ids).toContain("putUsersUploadByEmail");
  });

  test("names the headers that a client reads", async () => {
    const described = await operations();
    const headersOf = (name: string, status: number) => {
      const found = described.find((operation) => operation.name === name);
      return Object.keys((found?.responses?.[status] as { headers?: object })?.headers ?? {});
    };
    expect(headersOf("GET /api/users", 200)).toEqual(["Link"]);
    expect(headersOf("GET /api/users/{email}", 200)).toEqual(["ETag"]);
    expect(headersOf("POST /api/comments", 201)).toEqual(["Idempotent-Replayed"]);
    expect(headersOf("POST /api/session", 200)).toEqual(["Set-Cookie"]);
    expect(headersOf("GET /api/feed", 429)).toEqual(["Retry-After"]);
    expect(headersOf("GET /api/feed", 200)).toEqual([]);
  });
});

describe("a method that an address has no call for", () => {
  test.each([
    ["POST", "/api/feed", "GET, HEAD, OPTIONS"],
    ["PATCH", "/api/users/upload/ada", "PUT, OPTIONS"],
    ["DELETE", "/api/users/ada%40example.org?x=1", "GET, HEAD, PUT, OPTIONS"],
    ["HEAD", "/api/events", "GET, OPTIONS"],
    ["PUT", "/v1/projects", "GET, HEAD, OPTIONS"],
  ] as const)("is refused with the methods it has: %s %s", async (method, url, allow) => {
    const headers = { "content-type": "text/plain" };
    const answer = await app.inject({ method, url, headers, payload: "x" });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    if (method !== "HEAD") {
      expect(answer.json()).toMatchObject({ error: { code: "method-not-allowed" } });
    }
    const asked = await app.inject({ method: "OPTIONS", url });
    expect([asked.statusCode, asked.headers.allow, asked.body]).toEqual([204, allow, ""]);
  });

  test.each(["/api/nothing", "/api/", "/v1/", "/v1/projects/x"])(
    "is like any other where there is no call: %s",
    async (url) => {
      for (const method of ["GET", "POST", "OPTIONS"] as const) {
        const answer = await app.inject({ method, url });
        expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
        expect(answer.json()).toMatchObject({ error: { code: "not-found" } });
      }
    },
  );
});

describe("a request that is wrong before any handler reads it", () => {
  test("is refused in the same way by every call that changes something, even if it needs no body", async () => {
    const ada = await features.member();
    const changing = Object.keys(accessMatrix).filter((name) => !name.startsWith("GET"));
    expect(changing.length).toBeGreaterThan(30);
    for (const name of changing) {
      const [method = "", path = ""] = name.split(" ");
      const url = path.replace(/:(\w+)/g, "1");
      if (path.endsWith("session") || path.endsWith("token-sync")) continue;
      const send = async (type: string, payload: string, more = {}) => {
        const headers = { "content-type": type, ...more };
        return `${name}: ${(await call(ada, method, url, { payload, headers })).statusCode}`;
      };
      // These read a form, or the parts of an upload.
      const form = /images$|(?<!albums\/:id\/)photos$|^\/api\/uploads/.test(path);
      expect(await send("text/plain", "x")).toBe(`${name}: ${form ? 400 : 415}`);
      expect(await send("application/json", "{")).toBe(`${name}: 400`);
      const heavy = await send("application/json", "{}", { "content-length": "5300000" });
      expect(heavy).toBe(`${name}: ${form ? 400 : 413}`);
    }
  });

  test("is refused where its JSON would keep a parser busy, before it has one", async () => {
    const ada = await features.member();
    const headers = { "content-type": "application/json" };
    for (const payload of ["[".repeat(5_000_000), `[${"{},".repeat(400_000)}{}]`]) {
      const answer = await call(ada, "PUT", `/api/users/${ada.email}`, { headers, payload });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: { code: "json-too-complex" } });
    }
  });

  test("is answered in the shape of all refusals, even where the address is invalid", async () => {
    const address = await app.listen({ port: 0, host: "127.0.0.1" });
    const answerTo = async (text: string) => {
      const socket = connect(Number(new URL(address).port), "127.0.0.1");
      socket.end(Buffer.from(text, "utf8"));
      const [head = "", body = ""] = String(await buffer(socket)).split("\r\n\r\n");
      return { head, ...(JSON.parse(body) as { error: { requestId: string } }) };
    };
    for (const [text, status] of [
      ["GET /api/users/ünï HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["nonsense\r\n\r\n", 400],
      [`GET /api/users HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ] as const) {
      const { head, error } = await answerTo(text);
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(error).toEqual({
        code: "input-invalid",
        message: expect.any(String),
        requestId: /X-Request-Id: (.+)/.exec(head)?.[1],
      });
    }
  });
});

describe("an answer in a test", () => {
  test("that differs from the declared one fails the test, whatever the test looks at", async () => {
    const small = fastify();
    small.decorateRequest("viewer", null);
    await small.register(async (scope) => {
      const calls = scope.withTypeProvider<ZodTypeProvider>();
      const identity = { sessions: { viewerOf: async () => null, renewedCookies: () => [] } };
      await addCalls(calls, {
        features: { identity, imagePasses: { issue: () => "" } },
        publicUrl: "http://localhost",
      });
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
      const right = { name: "Ada", email: "ada@example.org" };
      calls.get("/api/talkative", { config, schema }, async () => right);
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
    ["a field missing", {}, { word: "required*" }],
    ["a field too long", { word: "goodbye" }, { word: "Use at most 5 characters." }],
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
        const identity = { sessions: { viewerOf: async () => null, renewedCookies: () => [] } };
        const calls = scope.withTypeProvider<ZodTypeProvider>();
        await addCalls(calls, {
          features: { identity, imagePasses: { issue: () => "" } },
          publicUrl: "http://localhost",
        });
        calls.get("/api/secret", async () => ({}));
      });
      await small.ready();
    };
    await expect(register()).rejects.toThrow("GET /api/secret must declare");
  });
});
