import { readdirSync } from "node:fs";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { untranslated } from "#server/test/untranslated.ts";
import { describeIssue } from "#shared/input-messages.ts";

const root = join(import.meta.dirname, "../..");
const schemas: z.ZodType[] = [];
const take = (found: unknown) => {
  if (found instanceof z.ZodType) schemas.push(found);
};

/** What the calls declare, of every app that is made. */
function note(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ schema = {} }) => {
    for (const part of ["params", "querystring", "headers", "body"] as const) take(schema[part]);
  });
}

type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxItems?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

const wrong = [undefined, null, true, -1, 0.5, 1e15, "", "x", "👩‍👩‍👧".repeat(9000), [], {}];

/** Values that a schema may refuse, in every place that it has. */
function wrongFor({ properties = {}, items, maxItems, ...rest }: JsonSchema): unknown[] {
  const inFields = Object.entries(properties).flatMap(([name, field]) =>
    wrongFor(field).map((value) => ({ [name]: value })),
  );
  const inLists = items ? wrongFor(items).map((value) => [value]) : [];
  const tooMany = maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => "x")];
  const { anyOf = [], oneOf = [], allOf = [] } = rest;
  const others = [...anyOf, ...oneOf, ...allOf].flatMap(wrongFor);
  return [...wrong, ...inFields, ...inLists, ...tooMany, ...others];
}

test("whatever is wrong in what a call takes is said in every language", async () => {
  subscribe("fastify.initialization", note);
  const { db } = await freshDatabase();
  await testApp(db);
  unsubscribe("fastify.initialization", note);
  const shared = readdirSync(join(root, "shared")).filter((name) => name.endsWith(".inputs.ts"));
  for (const name of shared) Object.values(await import(join(root, "shared", name))).forEach(take);
  expect(schemas.length).toBeGreaterThan(150);

  const said = new Set<string>();
  for (const schema of schemas) {
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
    for (const value of wrongFor(json as JsonSchema)) {
      const { error } = schema.safeParse(value, { error: describeIssue });
      for (const { message } of error?.issues ?? []) said.add(message);
    }
  }
  expect(said.size).toBeGreaterThan(100);
  expect(untranslated([...said])).toEqual([]);
});
