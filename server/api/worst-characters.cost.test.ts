import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { newId } from "#server/platform/db/ids.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { findCostliest, type Send } from "#server/test/worst-characters.ts";

/*
 * What a text costs must not depend on its characters: the worst of them in every text of every call that
 * takes a body, ours and the documented ones, compared with as many letters "a".
 */
const declared: { method: string; url: string; body: z.ZodType }[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config, schema }) => {
    if (config?.appAccess || !/^\/(api|v1)\//.test(url) || !schema?.body) return;
    declared.push({ method: String(method), url, body: schema.body as z.ZodType });
  });
});

const { db } = await freshDatabase();
const { app, features, cookieOf } = await testApp(db);
let cookie: string;
let known: Record<string, string>;

beforeAll(async () => {
  const ada = await features.member("Ada Lovelace");
  const { number } = await features.textPost(ada, "Low tide");
  cookie = await cookieOf(ada);
  known = { address: ada.username, email: ada.email, number: String(number) };
});

type Schema = z.core.JSONSchema.BaseSchema;

/** A body in which every free text is `text`; other fields have a value that passes. */
function bodyOf(schema: Schema, text: string): unknown {
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as Schema[];
  if (first) return bodyOf(first, text);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [bodyOf((schema.items ?? {}) as Schema, text)];
  if (schema.type === "object") {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return Object.fromEntries(fields.map(([name, part]) => [name, bodyOf(part, text)]));
  }
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return schema.format === "uuid" ? newId() : text;
}

test("the worst characters in a body cost no more than any others", async () => {
  let tried = 0;
  const dear: string[] = [];
  for (const { method, url, body } of declared) {
    const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
    const texts = JSON.stringify(bodyOf(schema, "§")).split("§").length - 1;
    if (texts === 0) continue;
    tried += 1;
    const at = url.replaceAll(/:(\w+)/g, (_whole, name: string) => known[name] ?? newId());
    for (const size of [200_000, 400_000]) {
      const send: Send = (text) => {
        const payload = JSON.stringify(bodyOf(schema, text(Math.floor(size / texts))));
        const headers = { "content-type": "application/json", cookie };
        return () => app.inject({ method: method as "POST", url: at, payload, headers });
      };
      dear.push(...(await findCostliest(`${method} ${url}, ${size}`, send)));
    }
  }
  expect(tried).toBeGreaterThan(20);
  expect(dear).toEqual([]);
});
