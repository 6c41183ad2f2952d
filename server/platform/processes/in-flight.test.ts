import { readFileSync } from "node:fs";
import { get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { noteRequests } from "#server/http/note-requests.ts";
import { noteWork, openNotes } from "#server/platform/processes/in-flight.ts";
import { until } from "#server/test/until.ts";
import { notes } from "../../../scripts/lib/watchdog.mjs";

let path: string;
beforeAll(() => {
  path = openNotes() ?? "";
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the process that watches this one would read. */
const noted = () => [
  ...new Set(
    readFileSync(path, "utf8")
      .split("\0")
      .filter((text) => text !== ""),
  ),
];

test("when no slot is free the oldest note is overwritten, and its end removes no other note", () => {
  const slow = Array.from({ length: notes.slots }, () => noteWork("POST /slow"));
  const end = noteWork("GET /loop");
  expect(noted()).toEqual(expect.arrayContaining(["POST /slow", "GET /loop"]));
  for (const over of slow) over();
  expect(noted()).toEqual(["GET /loop"]);
  end();
  end();
  expect(noted()).toEqual([]);
  const many = Array.from({ length: notes.slots }, (_, index) => noteWork(`job ${index}`));
  expect(noted()).toHaveLength(notes.slots);
  for (const over of many) over();
});

test("two long notes next to each other stay separate", () => {
  const ends = ["a", "b"].map((letter) => noteWork(letter.repeat(2 * notes.bytes)));
  expect(
    noted()
      .map((text) => text[0])
      .toSorted(),
  ).toEqual(["a", "b"]);
  for (const end of ends) end();
});

const soon = () => new Promise((resolve) => setImmediate(resolve));

const app = fastify();
afterAll(() => app.close());

test("a client that leaves before the answer leaves a note for a while, and no slot stays taken", async () => {
  noteRequests(app, new Set());
  app.get("/quick", async () => "there");
  app.get("/slow", () => new Promise<never>(() => {}));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/quick`);
  await until(() => noted().length === 0);

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const closed: ServerResponse[] = [];
  app.server.on("request", (_request, answer) => answer.once("close", () => closed.push(answer)));
  const asked = Array.from({ length: 2 * notes.slots }, () => {
    const request = get({ host: "127.0.0.1", port, path: "/slow", agent: false });
    request.on("error", () => undefined);
    return request;
  });
  while (noted().length === 0) await soon();
  for (const request of asked) request.destroy();
  while (closed.length === 0) await soon();
  expect(noted()).toEqual(["GET /slow"]);
  await vi.waitUntil(async () => {
    await vi.advanceTimersByTimeAsync(60_000);
    return noted().length === 0;
  });
});
