import { refuseEarly } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import type { StripPhoto } from "#app/features/posts/composer/photo-strip.tsx";
import { callError, callErrorOf, isSignedOut, sentenceOf } from "#app/lib/forms/post-form.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import type { startUpload, UploadHandle } from "#app/lib/forms/resumable-upload.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

export type ChosenPhoto = StripPhoto & {
  /** null for what a form without scripts sent: only the server has it */
  file: Blob | null;
  name: string;
  /** queued: behind those before it; waiting: to be tried again, as `waits` says */
  state: "queued" | "sending" | "waiting" | "paused" | "failed" | "sent";
  waits?: Waiting | null | undefined;
  /** of its bytes that are sent, 0 to 1 */
  fraction: number;
  /** why it didn't go through; the file is kept */
  problem: string | null;
  /** this file will never go through: another one may */
  hopeless: boolean;
  /** its sender has to sign in again first */
  signedOut?: boolean | undefined;
  /** where its upload can be taken up again */
  url: string | null;
  /** once it is there */
  imageId: string | null;
  /** sent animated, and too much to move */
  still?: boolean | undefined;
  /** of a photo that stands in the post already: nothing is sent of it */
  key?: string | undefined;
};

/** What is left of a photo when its page is gone. */
export type KeptPhoto = Pick<ChosenPhoto, "id" | "name" | "alt" | "url" | "imageId">;

/** What stood here before, or stands in the post. */
type Restored = KeptPhoto &
  Pick<ChosenPhoto, "file"> &
  Partial<Pick<ChosenPhoto, "key" | "preview">>;

type Deps = {
  start: (
    file: Blob,
    options: Parameters<typeof startUpload>[1],
  ) => Pick<UploadHandle, "pause" | "resume" | "cancel"> & {
    done: Promise<{ imageId: string; still?: boolean | undefined }>;
  };
  previewOf: (file: Blob) => string;
  dropPreview: (preview: string) => void;
};

/** On their way at the same time: a phone's line is not made faster by more. */
const atOnce = 2;

const gone = () =>
  callError("picture-gone", "This photo is no longer there. Remove it, and choose it again.", 422);
const empty = () => callError("picture-empty", "This file is empty. Choose another one.", 422);

/** What another try with the same file would not change. */
const aboutTheFile = new Set([
  "picture-empty",
  "picture-gone",
  "picture-too-complex",
  "picture-too-heavy",
  "picture-too-large",
  "picture-type",
  "picture-unreadable",
  "too-large",
]);

/**
 * The photos of the post that is being written, in their order. Each starts on its way when it is
 * chosen, so that it is often there before the caption is written; what is wrong with one stops no
 * other.
 */
export function createChosenPhotos({ start, previewOf, dropPreview }: Deps) {
  let all: readonly ChosenPhoto[] = [];
  const handles = new Map<string, ReturnType<Deps["start"]>>();
  const errors = new Map<string, unknown>();
  const listeners = new Set<() => void>();

  function change(next: readonly ChosenPhoto[]): void {
    all = next;
    for (const listener of listeners) listener();
  }
  const find = (id: string) => all.find((one) => one.id === id);
  const update = (id: string, part: Partial<ChosenPhoto>) =>
    change(all.map((one) => (one.id === id ? { ...one, ...part } : one)));

  function send({ id, file, url }: ChosenPhoto): void {
    if (!file) return fail(id, gone());
    if (file.size === 0) return fail(id, empty());
    if (file.size > limits.imageBytes) return fail(id, refuseEarly("picture-too-heavy"));
    const unlessGone =
      <Values extends unknown[]>(work: (...values: Values) => void) =>
      (...values: Values) => {
        if (handles.get(id) === handle) work(...values);
      };
    const handle = start(file, {
      url: url ?? undefined,
      onUrl: (found) => update(id, { url: found }),
      onProgress: unlessGone((fraction: number) => update(id, { fraction })),
      onWaiting: unlessGone((waits: Waiting | null) => {
        if (find(id)?.state === "paused") return;
        update(id, { state: waits ? "waiting" : "sending", waits });
      }),
    });
    handles.set(id, handle);
    update(id, { state: "sending" });
    handle.done.then(
      unlessGone(({ imageId, still }: Awaited<typeof handle.done>) => {
        handles.delete(id);
        update(id, { state: "sent", fraction: 1, imageId, still });
        sendNext();
      }),
      unlessGone((error: unknown) => fail(id, error)),
    );
  }

  function fail(id: string, error: unknown): void {
    handles.delete(id);
    errors.set(id, error);
    const hopeless = aboutTheFile.has(callErrorOf(error).code ?? "");
    const signedOut = isSignedOut(error);
    update(id, { state: "failed", problem: sentenceOf(error), hopeless, signedOut, waits: null });
    sendNext();
  }

  function sendNext(): void {
    for (;;) {
      const underWay = all.filter(({ state }) => state === "sending" || state === "waiting");
      const next = all.find(({ state }) => state === "queued");
      if (!next || underWay.length >= atOnce) return;
      send(next);
    }
  }

  const anew = { state: "queued", fraction: 0, problem: null, hopeless: false } as const;

  function letGo(id: string): void {
    handles.get(id)?.cancel();
    handles.delete(id);
    errors.delete(id);
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    all: () => all,

    /** As many as there is room for, the first ones. @returns those that were taken */
    add(files: readonly File[]): ChosenPhoto[] {
      const taken = files
        .slice(0, Math.max(0, limits.picturesPerPost - all.length))
        .map((file) => ({
          ...anew,
          id: randomKey(),
          file,
          name: file.name,
          preview: previewOf(file),
          alt: "",
          url: null,
          imageId: null,
        }));
      change([...all, ...taken]);
      sendNext();
      return taken;
    },

    /** What an earlier page left: it goes on where it stopped. */
    restore(kept: readonly Restored[]): void {
      const restored = kept.map((photo) => ({
        ...anew,
        ...photo,
        preview:
          photo.preview ?? (photo.file ? previewOf(photo.file) : ownPicture(photo.imageId ?? "")),
        ...(photo.imageId === null && !photo.key ? {} : { state: "sent" as const, fraction: 1 }),
      }));
      change([...all, ...restored]);
      sendNext();
    },

    move(id: string, to: number): void {
      const photo = find(id);
      if (photo) change(all.filter((one) => one !== photo).toSpliced(to, 0, photo));
    },

    describe: (id: string, alt: string) => update(id, { alt }),

    remove(id: string): void {
      letGo(id);
      const photo = find(id);
      if (photo?.preview) dropPreview(photo.preview);
      change(all.filter((one) => one !== photo));
      sendNext();
    },

    pause(id: string): void {
      handles.get(id)?.pause();
      update(id, { state: "paused", waits: null });
      sendNext();
    },

    /** Goes on with one that was paused or waits, or tries one that failed again, from where it stopped. */
    resume(id: string): void {
      errors.delete(id);
      const handle = handles.get(id);
      if (!handle) update(id, anew);
      else if (find(id)?.state === "paused") update(id, { state: "sending" });
      if (handle) handle.resume();
      else sendNext();
    },

    /** Pictures that nobody used are swept after a while; their files are still here. */
    sendAgain(): void {
      change(
        all.map((one) => (one.state === "sent" && !one.key ? { ...one, ...anew, ...unsent } : one)),
      );
      sendNext();
    },

    /** Forgets them all, and what arrived of them. */
    clear(): void {
      for (const { id } of all) letGo(id);
      this.putAway();
    },

    /** Stops what is on its way and lets go of it: what arrived is taken up again by `restore`. */
    putAway(): void {
      for (const handle of handles.values()) handle.pause();
      handles.clear();
      errors.clear();
      for (const { preview } of all) if (preview) dropPreview(preview);
      change([]);
    },

    /**
     * Resolves when all are there; rejects with what is wrong with the first that failed. What was
     * paused goes on. Ends in silence when `signal` aborts.
     */
    async sent(signal: AbortSignal): Promise<void> {
      for (const { id, state } of all) if (state === "paused") this.resume(id);
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          const failed = all.find(({ state }) => state === "failed");
          if (failed) reject(errors.get(failed.id));
          else if (signal.aborted || all.every(({ state }) => state === "sent")) resolve();
          else return;
          listeners.delete(look);
        };
        signal.addEventListener("abort", look);
        listeners.add(look);
        look();
      });
    },
  };
}

/** Where its sender sees a picture that is in no post yet. */
export const ownPicture = (imageId: string) => `/api/images/${imageId}`;

const unsent = { url: null, imageId: null };

export type ChosenPhotos = ReturnType<typeof createChosenPhotos>;
