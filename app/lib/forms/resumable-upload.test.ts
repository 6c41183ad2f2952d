import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callErrorOf, toCallError } from "#app/lib/api-client.ts";
import { startUpload } from "#app/lib/forms/resumable-upload.ts";
import type { Transport } from "#app/lib/forms/tus-transport.ts";

const page = new EventTarget();
const url = "/api/uploads/one";
const ready = { state: "ready" as const, imageId: "image" };
const photo = new Blob(["a photo"]);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Send = Transport["send"];

/** Sends as the steps say, one after the other; the last one is repeated. */
function transport(...steps: Send[]) {
  const send = vi.fn<Send>((file, sending) => {
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (!step) throw new Error("nothing was expected to be sent");
    return step(file, sending);
  });
  const see = vi.fn<Transport["see"]>(async () => ready);
  const remove = vi.fn<Transport["remove"]>(async () => undefined);
  return { send, see, remove };
}

const refused =
  (status: number, code = "internal"): Send =>
  () =>
    Promise.reject(toCallError(status, { error: { code, message: `refused: ${code}` } }));
const later: Send = () => Promise.reject(Object.assign(toCallError(503, null), { retryAfter: 20 }));
const away: Send = () => Promise.reject(toCallError(0, null));
const through: Send = async (_file, { url: begun = url, onUrl, onAcknowledged }) => {
  onUrl(begun);
  onAcknowledged(1);
  return begun;
};
/** Half of it arrives, then nothing moves until somebody stops it. */
const stuck: Send = (_file, { signal, onUrl, onAcknowledged }) =>
  new Promise((_resolve, reject) => {
    onUrl(url);
    onAcknowledged(0.5);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
const urlsOf = ({ send }: ReturnType<typeof transport>) =>
  send.mock.calls.map(([, { url }]) => url);

test("a photo is uploaded, and reports its address once and its progress", async () => {
  const line = transport(through);
  const [onUrl, onProgress, onWaiting] = [vi.fn(), vi.fn(), vi.fn()];
  const { done } = startUpload(photo, { onUrl, onProgress, onWaiting }, line);
  await expect(done).resolves.toEqual({ imageId: "image" });
  expect(onUrl.mock.calls).toEqual([[url]]);
  expect(onProgress).toHaveBeenLastCalledWith(1);
  expect(onWaiting).not.toHaveBeenCalled();
});

test("while offline it retries for as long as it takes, and resumes where it stopped", async () => {
  const line = transport(stuckThenAway(), ...Array.from({ length: 50 }, () => away), through);
  const onWaiting = vi.fn();
  const { done } = startUpload(photo, { onWaiting }, line);
  await vi.advanceTimersByTimeAsync(60 * 60 * 1000);
  await expect(done).resolves.toMatchObject({ imageId: "image" });
  expect(urlsOf(line).slice(0, 3)).toEqual([undefined, url, url]);
  expect(onWaiting.mock.calls).toEqual([
    [{ for: "line", long: false }],
    [{ for: "line", long: true }],
    [null],
  ]);
});

function stuckThenAway(): Send {
  return async (_file, { onUrl, onAcknowledged }) => {
    onUrl(url);
    onAcknowledged(0.5);
    throw toCallError(0, null);
  };
}

test("it tries at once when the network is back", async () => {
  const line = transport(away, away, away, away, through);
  const { done } = startUpload(photo, {}, line);
  for (let i = 0; i < 5; i += 1) {
    await vi.advanceTimersByTimeAsync(0);
    page.dispatchEvent(new Event("online"));
  }
  await vi.advanceTimersByTimeAsync(0);
  await expect(done).resolves.toMatchObject({ imageId: "image" });
});

test("an earlier upload is resumed, or restarted where the server no longer has it", async () => {
  const line = transport(refused(404, "not-found"), through);
  const onUrl = vi.fn();
  const { done } = startUpload(photo, { url: "/api/uploads/before", onUrl }, line);
  await expect(done).resolves.toMatchObject({ imageId: "image" });
  expect(urlsOf(line)).toEqual(["/api/uploads/before", undefined]);
  expect(onUrl.mock.calls).toEqual([[url]]);
});

test("a draft that names another server is not followed there", async () => {
  const line = transport(through);
  await startUpload(photo, { url: "https://elsewhere.example/api/uploads/x" }, line).done;
  expect(urlsOf(line)).toEqual([undefined]);
});

test.each([
  [401, "sign-in-required"],
  [403, "wrong-origin"],
  [413, "storage-full"],
  [415, "picture-type"],
  [422, "picture-unreadable"],
  [429, "too-many-writes"],
  [503, "picture-timeout"],
  [507, "disk-full"],
])("a refusal ends it: %i %s", async (status, code) => {
  const line = transport(refused(status, code));
  const error = await startUpload(photo, {}, line).done.catch((reason: unknown) => reason);
  expect(callErrorOf(error)).toMatchObject({ status, code, message: `refused: ${code}` });
  expect(line.send).toHaveBeenCalledTimes(1);
});

test("a refusal without a body gets its message from a second request", async () => {
  const line = transport(() => Promise.reject(toCallError(401, null)));
  line.see.mockRejectedValue(
    toCallError(401, { error: { code: "sign-in-required", message: "Please sign in" } }),
  );
  const { done } = startUpload(photo, { url }, line);
  await expect(done).rejects.toMatchObject({ code: "sign-in-required", message: "Please sign in" });
});

test("an image that fails processing ends it, one in processing is awaited", async () => {
  const bad = transport(through);
  const error = { code: "picture-unreadable", message: "We couldn't read this picture." };
  bad.see.mockResolvedValue({ state: "refused", error });
  await expect(startUpload(photo, {}, bad).done).rejects.toMatchObject({ ...error, status: 422 });

  const slow = transport(through);
  slow.see
    .mockResolvedValueOnce({ state: "preparing" })
    .mockRejectedValueOnce(toCallError(503, null));
  const { done } = startUpload(photo, {}, slow);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(done).resolves.toMatchObject({ imageId: "image" });
});

test("paused it sends nothing, resumed it continues from there", async () => {
  const line = transport(stuck, through);
  const upload = startUpload(photo, {}, line);
  await vi.advanceTimersByTimeAsync(0);
  upload.pause();
  await vi.advanceTimersByTimeAsync(60_000);
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(line.send).toHaveBeenCalledTimes(1);
  upload.resume();
  await expect(upload.done).resolves.toMatchObject({ imageId: "image" });
  expect(urlsOf(line)).toEqual([undefined, url]);
});

test("cancelled, while it sends, waits or is paused, it is removed from the server", async () => {
  for (const when of ["sending", "waiting", "paused"]) {
    const line = transport(when === "waiting" ? stuckThenAway() : stuck, stuck);
    const upload = startUpload(photo, {}, line);
    await vi.advanceTimersByTimeAsync(0);
    if (when === "paused") upload.pause();
    upload.cancel();
    upload.cancel();
    const error = await upload.done.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: "AbortError" });
    expect(line.remove.mock.calls).toEqual([[url]]);
  }
});

test("a failing server is distinguished from a lost connection, and from one that says when to retry, which is obeyed", async () => {
  const line = transport(refused(500), later, through);
  const onWaiting = vi.fn();
  const { done } = startUpload(photo, { onWaiting }, line);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(onWaiting.mock.calls).toEqual([
    [{ for: "server", long: false }],
    [{ for: "busy", long: false }],
  ]);
  expect(line.send).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(11_000);
  await expect(done).resolves.toMatchObject({ imageId: "image" });
  expect(onWaiting.mock.calls.slice(2)).toEqual([[{ for: "busy", long: true }], [null]]);
});

test("one that fails at the same byte again and again waits longer each time, and says so after 15 s", async () => {
  const half: Send = async (_file, { onUrl, onAcknowledged }) => {
    onUrl(url);
    onAcknowledged(0.5);
    throw toCallError(500, null);
  };
  const line = transport(half);
  const onWaiting = vi.fn();
  const upload = startUpload(photo, { onWaiting }, line);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(onWaiting.mock.calls).toEqual([[{ for: "server", long: false }]]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(onWaiting.mock.calls.slice(1)).toEqual([[{ for: "server", long: true }]]);
  const tries = line.send.mock.calls.length;
  expect(tries).toBeLessThanOrEqual(7);
  // On request, the next try is at once, from where it stopped.
  upload.resume();
  await vi.advanceTimersByTimeAsync(0);
  expect(line.send).toHaveBeenCalledTimes(tries + 1);
  expect(urlsOf(line).at(-1)).toBe(url);
});
