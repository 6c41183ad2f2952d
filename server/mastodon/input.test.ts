import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Viewer } from "#shared/views.ts";

const declared: { method: string; url: string }[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config }) => {
    // A WebSocket is none of these requests.
    if (config?.appAccess && !/^\/api\/v1\/streaming\/?$/.test(url))
      declared.push({ method: String(method), url });
  });
});

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
});

const send = (method: string, url: string, payload?: object) =>
  app.inject({ method: method as "POST", url, headers, ...(payload && { payload }) });

test("a parameter that is too long is refused by every call, with a sentence, before it is read", async () => {
  expect(declared.length).toBeGreaterThan(80);
  const text = "<".repeat(6001);
  const message = "anything can have 6,000 characters; this has 6,001.";
  for (const { method, url } of declared) {
    const at = url.replaceAll(/:\w+/g, "1234567890123456789");
    const answer =
      method === "GET"
        ? await send(method, `${at}?anything=${text}`)
        : await send(method, at, { anything: text });
    const oauth = url.startsWith("/oauth/");
    expect([method, url, answer.statusCode]).toEqual([method, url, oauth ? 400 : 422]);
    expect(answer.json()).toEqual(
      oauth ? { error: "invalid_request", error_description: message } : { error: message },
    );
  }
});

test.each([
  ["status", 100_000],
  ["note", 32_000],
  ["description", 32_000],
  ["media_attributes[][description]", 32_000],
  ["comment", 32_000],
  ["fields_attributes[0][value]", 6000],
  ["constructor", 6000],
])("%s has its own maximum length", async (name, most) => {
  const url = "/api/v1/preferences";
  const set = async (length: number) =>
    send("POST", "/api/v1/notifications/requests/accept", { [name]: "a".repeat(length) });
  expect((await set(most)).statusCode).toBe(200);
  expect((await set(most + 1)).json()).toMatchObject({
    error: expect.stringContaining(most.toLocaleString("en")),
  });
  expect((await send("GET", `${url}?${"n".repeat(201)}=1`)).statusCode).toBe(422);
});

test.each([
  ["PATCH", "/api/v1/accounts/update_credentials", "fields_attributes[0][value]", "<"],
  ["PUT", "/api/v1/media/1", "focus", "1"],
])("%s %s with a megabyte in %s blocks nobody", async (method, url, name, character) => {
  const sending = (unit: string) => async () => send(method, url, { [name]: unit.repeat(900_000) });
  const [hostile, harmless] = [sending(character), sending("a")];
  expect(await cpuRatio({ hostile, harmless, rounds: 9 })).toBeLessThan(3);
  if (method === "PATCH") expect((await hostile()).statusCode).toBe(422);
});

test("a text that is too long for its feature, but not for a parameter, is refused with how much too long it is", async () => {
  const answer = await send("POST", "/api/v1/statuses", { status: "a".repeat(2300) });
  expect([answer.statusCode, answer.json().error]).toEqual([
    422,
    "A caption can have 2,200 characters; this is 100 too many.",
  ]);
});
