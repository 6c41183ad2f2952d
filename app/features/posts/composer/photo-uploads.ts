import { refuseEarly } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { callError, callErrorOf, isSignedOut, errorMessage } from "#app/lib/api-client.ts";
import type { startUpload, UploadHandle } from "#app/lib/forms/resumable-upload.ts";
import type { FinishedUpload } from "#app/lib/forms/tus-transport.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";
import { createStore, type Store } from "#app/lib/store.ts";

/** The photos of a post, and their uploads: two at a time; an error in one stops no other. */
export type Uploads = {
  photos: Store<readonly ChosenPhoto[]>;
  start: (file: Blob, options: Parameters<typeof startUpload>[1]) => UploadHandle;
  handles: Map<string, UploadHandle>;
  /** the errors of those that failed */
  errors: Map<string, unknown>;
};

export const createUploads = (start: Uploads["start"]): Uploads => ({
  photos: createStore<readonly ChosenPhoto[]>([]),
  start,
  handles: new Map(),
  errors: new Map(),
});

/** Simultaneous uploads: a phone's connection is not made faster by more. */
const concurrentUploads = 2;

/** The state of a photo as its upload begins, and begins again. */
export const freshUpload = {
  state: "queued",
  fraction: 0,
  problem: null,
  hopeless: false,
} as const;

/** A photo before anything of it is sent. */
export const newPhoto = {
  ...freshUpload,
  file: null,
  name: "",
  preview: null,
  alt: "",
  url: null,
  imageId: null,
} as const;

const gone = () => callError("picture-gone", words.photoGone, 422);
const empty = () => callError("picture-empty", words.fileEmpty, 422);

/** Errors that another try with the same file would not change. */
const fileErrors = new Set([
  "picture-empty",
  "picture-gone",
  "picture-too-complex",
  "picture-too-heavy",
  "picture-too-large",
  "picture-type",
  "picture-unreadable",
  "too-large",
]);

export const find = ({ photos }: Uploads, id: string) => photos.now().find((one) => one.id === id);

export function update({ photos }: Uploads, id: string, part: Partial<ChosenPhoto>): void {
  photos.set(photos.now().map((one) => (one.id === id ? { ...one, ...part } : one)));
}

/** They are sent behind those before them. */
export function append(uploads: Uploads, more: readonly ChosenPhoto[]): void {
  uploads.photos.set([...uploads.photos.now(), ...more]);
  sendNext(uploads);
}

/** Starts the next uploads, as many as may run at a time. */
export function sendNext(uploads: Uploads): void {
  for (;;) {
    const all = uploads.photos.now();
    const underWay = all.filter(({ state }) => state === "sending" || state === "waiting");
    const next = all.find(({ state }) => state === "queued");
    if (!next || underWay.length >= concurrentUploads) return;
    send(uploads, next);
  }
}

function send(uploads: Uploads, { id, file, url }: ChosenPhoto): void {
  if (!file) return fail(uploads, id, gone());
  if (file.size === 0) return fail(uploads, id, empty());
  if (file.size > limits.imageBytes) return fail(uploads, id, refuseEarly("picture-too-heavy"));
  const { handles } = uploads;
  const unlessGone =
    <Values extends unknown[]>(work: (...values: Values) => void) =>
    (...values: Values) => {
      if (handles.get(id) === handle) work(...values);
    };
  const handle = uploads.start(file, {
    url: url ?? undefined,
    onUrl: (found) => update(uploads, id, { url: found }),
    onProgress: unlessGone((fraction: number) => update(uploads, id, { fraction })),
    onWaiting: unlessGone((waits: Waiting | null) => {
      if (find(uploads, id)?.state === "paused") return;
      update(uploads, id, { state: waits ? "waiting" : "sending", waits });
    }),
  });
  handles.set(id, handle);
  update(uploads, id, { state: "sending" });
  handle.done.then(
    unlessGone(({ imageId, still }: FinishedUpload) => {
      handles.delete(id);
      update(uploads, id, { state: "sent", fraction: 1, imageId, still });
      sendNext(uploads);
    }),
    unlessGone((error: unknown) => fail(uploads, id, error)),
  );
}

function fail(uploads: Uploads, id: string, error: unknown): void {
  uploads.handles.delete(id);
  uploads.errors.set(id, error);
  const hopeless = fileErrors.has(callErrorOf(error).code ?? "");
  const signedOut = isSignedOut(error);
  const problem = errorMessage(error);
  update(uploads, id, { state: "failed", problem, hopeless, signedOut, waits: null });
  sendNext(uploads);
}

/** Stops one, and removes what has arrived of it. */
export function cancelUpload({ handles, errors }: Uploads, id: string): void {
  handles.get(id)?.cancel();
  handles.delete(id);
  errors.delete(id);
}

export function pause(uploads: Uploads, id: string): void {
  uploads.handles.get(id)?.pause();
  update(uploads, id, { state: "paused", waits: null });
  sendNext(uploads);
}

/** Resumes one that was paused or waits, or retries one that failed, from where it stopped. */
export function resume(uploads: Uploads, id: string): void {
  uploads.errors.delete(id);
  const handle = uploads.handles.get(id);
  if (!handle) {
    update(uploads, id, freshUpload);
    sendNext(uploads);
    return;
  }
  if (find(uploads, id)?.state === "paused") update(uploads, id, { state: "sending" });
  handle.resume();
}

/**
 * Resolves when all are uploaded; rejects with the error of the first that failed. Paused ones are resumed.
 * Ends silently when `signal` aborts.
 */
export async function allSent(uploads: Uploads, signal: AbortSignal): Promise<void> {
  const { photos, errors } = uploads;
  for (const { id, state } of photos.now()) if (state === "paused") resume(uploads, id);
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      const failed = photos.now().find(({ state }) => state === "failed");
      if (failed) reject(errors.get(failed.id));
      else if (signal.aborted || photos.now().every(({ state }) => state === "sent")) resolve();
      else return;
      stop();
    };
    const stop = photos.subscribe(look);
    signal.addEventListener("abort", look);
    look();
  });
}
