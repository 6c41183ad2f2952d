import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendParts } from "#app/lib/forms/tus-transport.ts";

type Answer = { status: number; headers?: Record<string, string>; body?: unknown };
type Asked = { method: string; url: string; headers: Record<string, string>; bytes: number };

let asked: Asked[] = [];
let answers: (Answer | "broken" | "silent")[] = [];

/** The used part of XMLHttpRequest: like the real one it forgets its answer when it is aborted. */
function FakeRequest() {
  let answer: Answer | null = null;
  const request = { method: "", url: "", headers: {} as Record<string, string>, bytes: 0 };
  const listeners: Record<string, () => void> = {};
  const self = {
    upload: { addEventListener: () => {} },
    addEventListener: (type: string, listener: () => void) => (listeners[type] = listener),
    open: (method: string, url: string) => Object.assign(request, { method, url }),
    setRequestHeader: (name: string, value: string) => (request.headers[name] = value),
    getResponseHeader: (name: string) => answer?.headers?.[name] ?? null,
    abort: () => (answer = null),
    send: (body: Blob | null) => {
      asked.push({ ...request, bytes: body?.size ?? 0 });
      const next = answers.shift();
      if (next === undefined) throw new Error("nothing more was expected to be sent");
      if (next === "silent") return;
      queueMicrotask(() => {
        if (next === "broken") return listeners["error"]?.();
        answer = next;
        listeners["load"]?.();
      });
    },
    get status() {
      return answer?.status ?? 0;
    },
    get responseText() {
      return answer ? JSON.stringify(answer.body ?? "") : "";
    },
  };
  return self;
}

beforeEach(() => {
  [asked, answers] = [[], []];
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("location", new URL("https://postcard.example/create"));
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const part = 128 * 1024;
const photo = new Blob([new Uint8Array(2 * part + 1000)]);
const url = "/api/uploads/one";
const created = { status: 201, headers: { Location: url } };
const at = (offset: number, status = 204) => ({
  status,
  headers: { "Upload-Offset": String(offset), "Upload-Length": String(photo.size) },
});

function send(begun?: string) {
  const stop = new AbortController();
  const [onUrl, onAcknowledged] = [vi.fn(), vi.fn()];
  const sent = sendParts(photo, { url: begun, signal: stop.signal, onUrl, onAcknowledged });
  return { sent, stop, onUrl, onAcknowledged };
}

test("a photo is sent in parts, and acknowledged bytes are reported", async () => {
  answers = [created, at(part), at(2 * part), at(photo.size)];
  const { sent, onUrl, onAcknowledged } = send();
  expect(await sent).toBe(url);
  expect(onUrl.mock.calls).toEqual([[url]]);
  expect(asked.map(({ method, bytes }) => [method, bytes])).toEqual([
    ["POST", 0],
    ["PATCH", part],
    ["PATCH", part],
    ["PATCH", 1000],
  ]);
  const fractions = onAcknowledged.mock.calls.map(([fraction]) => fraction as number);
  expect(fractions).toEqual([0, part / photo.size, (2 * part) / photo.size, 1]);
});

test("an earlier upload is looked up, and only the missing bytes are sent", async () => {
  answers = [at(2 * part, 200), at(photo.size)];
  const { sent, onAcknowledged } = send(url);
  await sent;
  expect(asked.map(({ method, bytes }) => [method, bytes])).toEqual([
    ["HEAD", 0],
    ["PATCH", 1000],
  ]);
  expect(onAcknowledged.mock.calls[0]).toEqual([(2 * part) / photo.size]);
});

test("a refusal has the server's message, and nothing is restarted automatically", async () => {
  const error = { code: "picture-too-heavy", message: "Too heavy." };
  answers = [{ status: 413, body: { error } }];
  await expect(send().sent).rejects.toMatchObject({ ...error, status: 413 });
  for (const status of [401, 404, 429]) {
    answers = [{ status }];
    await expect(send(url).sent).rejects.toMatchObject({ status });
  }
  expect(asked.map(({ method }) => method)).toEqual(["POST", "HEAD", "HEAD", "HEAD"]);
});

test("a broken connection, and a stalled one, count as a server that was not reached", async () => {
  vi.useFakeTimers();
  answers = [created, "broken"];
  await expect(send().sent).rejects.toMatchObject({ code: "away", status: 0 });
  answers = ["silent"];
  const { sent } = send(url);
  sent.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(sent).rejects.toMatchObject({ code: "away", status: 0 });
});

test("stopped, it sends nothing more", async () => {
  answers = [created, "silent"];
  const { sent, stop, onUrl } = send();
  await vi.waitFor(() => expect(onUrl).toHaveBeenCalled());
  stop.abort();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  expect(asked.length).toBeLessThanOrEqual(2);
});

test("an answer of another protocol, and one that accepts nothing, end a try instead of continuing forever", async () => {
  for (const first of [{ status: 200 }, { status: 200, headers: { "Upload-Offset": "some" } }]) {
    answers = [first];
    await expect(send(url).sent).rejects.toMatchObject({ status: 500 });
  }
  answers = [{ status: 201 }];
  await expect(send().sent).rejects.toMatchObject({ status: 500 });
  answers = [created, at(0)];
  await expect(send().sent).rejects.toMatchObject({ status: 500 });
});

test("states the protocol, what it sends and where that begins", async () => {
  answers = [created, at(part), at(photo.size)];
  await send().sent;
  const tus = { Accept: "application/json", "Tus-Resumable": "1.0.0" };
  const type = "application/offset+octet-stream";
  expect(asked.map(({ url: to, headers }) => [to, headers])).toEqual([
    ["/api/uploads", { ...tus, "Upload-Length": String(photo.size) }],
    [url, { ...tus, "Upload-Offset": "0", "Content-Type": type }],
    [url, { ...tus, "Upload-Offset": String(part), "Content-Type": type }],
  ]);
});
