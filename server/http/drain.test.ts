import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { addDraining, drain } from "#server/http/drain.ts";
import { addErrorMapper } from "#server/http/errors.ts";
import { endUnreadBodies } from "#server/http/unread-bodies.ts";

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await drain(app, 0);
});

/** A small app that stops as ours does. */
async function listening() {
  let draining = false;
  const app = fastify({ return503OnClosing: false });
  apps.push(app);
  app.addHook("preClose", async () => void (draining = true));
  addDraining(app, () => draining);
  endUnreadBodies(app);
  addErrorMapper(app);
  app.post("/thing", { bodyLimit: 100_000 }, async ({ body }) => ({ body }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** A body whose second half waits; `begun` resolves when the server has the first. */
function slow({ app, port }: Awaited<ReturnType<typeof listening>>, accept = "*/*") {
  const body = JSON.stringify({ words: "here" });
  const length = { "content-length": String(body.length) };
  const headers = { "content-type": "application/json", accept, ...length };
  const sending = request({ port, path: "/thing", method: "POST", headers });
  sending.write(body.slice(0, 5));
  const answer = once(sending, "response").then(async ([response]) => {
    let text = "";
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode, headers: response.headers, text };
  });
  const begun = expect.poll(() => app.unanswered.size).toBeGreaterThan(0);
  return { begun, answer, finish: () => sending.end(body.slice(5)) };
}

describe("a server that stops", () => {
  test("waits for a body that is on its way, and answers it", async () => {
    const served = await listening();
    const upload = slow(served);
    await upload.begun;
    const stopped = drain(served.app, 60_000);
    await expect.poll(() => served.app.server.listening).toBe(false);
    upload.finish();
    expect(await upload.answer).toMatchObject({ status: 200, text: '{"body":{"words":"here"}}' });
    await stopped;
  });

  test.each([
    [
      "a program",
      "*/*",
      /^\{"error":\{"code":"not-ready","message":"[^"]+","requestId":"[^"]+"\}\}$/,
    ],
    ["a person", "text/html", /^<!doctype html>.*Postcard is restarting/s],
  ])("answers %s whose body does not arrive in time", async (_who, accept, text) => {
    const served = await listening();
    const upload = slow(served, accept);
    await upload.begun;
    await drain(served.app, 0);
    const { status, headers, text: said } = await upload.answer;
    expect(status).toBe(503);
    expect(headers).toMatchObject({ connection: "close", "retry-after": "5" });
    expect(said).toMatch(text);
  });
});

test("a body that is too long is refused in words, not with a cut line", async () => {
  const { port } = await listening();
  const answer = await fetch(`http://127.0.0.1:${port}/thing`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `"${"x".repeat(6 * 1024 * 1024)}"`,
  });
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ error: { code: "too-large" } });
});
