import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { isRefusal, type FieldErrors } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";

/** What every call takes, by call and part of the request. */
const taken = new Map<string, z.ZodType>();
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, schema }) => {
    for (const part of ["params", "querystring", "body"] as const) {
      const declared: unknown = schema?.[part];
      if (declared instanceof z.ZodType) taken.set(`${String(method)} ${url} ${part}`, declared);
    }
  });
});

const { db } = await freshDatabase();
const { features, call } = await testApp(db);

/** What the validator says where a schema has no sentence of its own. */
const validatorsWords = /Invalid|expected \w+|received|Too (?:small|big)|Unrecognized/;

/** Values of every kind, most of them wrong for most fields. */
const values = [
  undefined,
  null,
  true,
  -1,
  1e9,
  Number.NaN,
  "?",
  "9".repeat(5_000),
  [],
  [null],
  Array.from({ length: 1_001 }, () => "?"),
  {},
  { x: 1 },
  [{ x: 1 }],
];

function refusedFields(schema: z.ZodType, input: unknown): FieldErrors {
  try {
    parseInput(schema, input);
    return {};
  } catch (error) {
    if (!isRefusal(error) || !error.fields) throw error;
    return error.fields;
  }
}

const fieldsOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

describe("what is missing or of the wrong type is refused in our own words", () => {
  test("whichever field of whichever call it is", () => {
    let refused = 0;
    for (const [where, schema] of taken) {
      const inputs = [
        ...values,
        ...fieldsOf(schema).flatMap((name) => values.map((value) => ({ [name]: value }))),
      ];
      for (const input of inputs) {
        for (const [field, sentence] of Object.entries(refusedFields(schema, input))) {
          refused += 1;
          expect(sentence, `${where}, ${field}`).not.toMatch(validatorsWords);
        }
      }
    }
    expect(taken.size).toBeGreaterThan(60);
    expect(refused).toBeGreaterThan(1_000);
  });

  test.each([
    ["POST", "/api/posts", { caption: 1 }, { caption: '"caption" must be text.' }],
    ["GET", "/api/suggestions?limit=many", undefined, { limit: '"limit" must be a number.' }],
    ["GET", "/api/feed/newer", undefined, { than: '"than" is missing.' }],
    ["PUT", "/api/blocks/somebody", undefined, { id: '"id" must be an id.' }],
  ])("by %s %s", async (method, url, payload, fields) => {
    const answer = await call(await features.member("Wes Wrong"), method, url, { payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: "input-invalid", fields } });
    expect(answer.body).not.toMatch(validatorsWords);
  });
});
