import type { DeviceExport, DevicePost } from "#app/features/archive/device/read-export.ts";
import { beginImport, endImport } from "#app/features/archive/bring/import-calls.ts";
import { importUnderWay } from "#app/features/archive/bring/import-under-way.ts";
import { isAboutPost, nameOf } from "#app/features/archive/bring/post-problems.ts";
import { sendPost, type PostUploads } from "#app/features/archive/bring/send-post.ts";
import { storedChoices, type StoredChoices } from "#app/features/archive/bring/stored-choices.ts";
import {
  cancelUpload,
  createUploads,
  pause,
  resume,
} from "#app/features/posts/composer/photo-uploads.ts";
import { limits } from "#shared/limits.ts";
import { errorMessage } from "#app/lib/api-client.ts";
import { startUpload } from "#app/lib/forms/resumable-upload.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";
import { createStore } from "#app/lib/store.ts";

type FailedPost = { post: DevicePost; id: string; name: string; problem: string };

/** How the posts of an import are on their way. */
type ImportUpload = {
  /**
   * stopped: by a refusal that is about all of them; undecided: all the others are there, and their sender says
   * what becomes of those that failed
   */
  state: "sending" | "paused" | "stopped" | "undecided" | "ended";
  total: { posts: number; bytes: number };
  /** there by now */
  there: { posts: number; bytes: number };
  failed: readonly FailedPost[];
  /** why it is stopped */
  problem: string | null;
  waits: Waiting | null;
};

/** Posts that are sent at the same time: while one is written, the photos of others use the line. */
const postsAtOnce = 3;

type Run = {
  device: DeviceExport;
  choices: StoredChoices;
  /** posts that were here without this import */
  known: number;
  queue: DevicePost[];
  cancelled: AbortController;
};

const store = createStore<ImportUpload | null>(null);
const uploads: PostUploads = {
  ...createUploads((file, options) =>
    startUpload(file, { ...options, metadata: { import: run?.choices.importId ?? "" } }),
  ),
  sent: new Map(),
};
let run: Run | null = null;

function update(part: Partial<ImportUpload>): void {
  const now = store.now();
  if (now) store.set({ ...now, ...part });
}

/** Sends what is in the queue, as long as nobody pauses it. */
async function work(of: Run): Promise<void> {
  update({ state: "sending", problem: null });
  importUnderWay.set(true);
  for (const { id, state } of uploads.photos.now()) {
    if (state !== "sent" && state !== "failed") resume(uploads, id);
  }
  const free = postsAtOnce - busy;
  await Promise.all(Array.from({ length: free }, () => workOff(of)));
}

/** Posts that are being sent; paused ones are. */
let busy = 0;

async function workOff(of: Run): Promise<void> {
  busy += 1;
  try {
    while (isGoing(of)) {
      const post = of.queue.shift();
      if (!post) break;
      await sendFrom(of, post);
    }
  } finally {
    busy -= 1;
  }
  if (isGoing(of) && busy === 0 && of.queue.length === 0) await noteAllSent(of);
}

const isGoing = ({ cancelled }: Run) =>
  !cancelled.signal.aborted && store.now()?.state === "sending";

/** Resolves at once, or when nobody pauses it any more. */
function whenGoing(of: Run): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isGoing(of) && !of.cancelled.signal.aborted) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    of.cancelled.signal.addEventListener("abort", look, { once: true });
    look();
  });
}

async function sendFrom(of: Run, post: DevicePost): Promise<void> {
  const { device, choices, cancelled } = of;
  try {
    const onWaiting = (waits: Waiting | null) => update({ waits });
    const how = { signal: cancelled.signal, onWaiting, whenGoing: () => whenGoing(of) };
    const outcome = await sendPost({ device, uploads, post, ...how }, choices);
    if (outcome === "known") of.known += 1;
    if (cancelled.signal.aborted) return;
    const now = store.now();
    if (!now) return;
    const { posts, bytes } = now.there;
    update({ there: { posts: posts + 1, bytes: bytes + post.bytes } });
  } catch (error) {
    if (cancelled.signal.aborted) return;
    if (isAboutPost(error)) noteFailed(post, error);
    else stopFor(of, post, error);
  }
}

/** The others go on. */
function noteFailed(post: DevicePost, error: unknown): void {
  const failed = { post, id: post.key, name: nameOf(post), problem: errorMessage(error) };
  const now = store.now();
  if (now) update({ failed: [...now.failed, failed] });
}

/** The next one would be refused as well. */
function stopFor(of: Run, post: DevicePost, error: unknown): void {
  of.queue.unshift(post);
  pauseAll();
  update({ state: "stopped", problem: errorMessage(error) });
}

function pauseAll(): void {
  for (const { id, state } of uploads.photos.now()) {
    if (state !== "sent" && state !== "failed") pause(uploads, id);
  }
}

async function noteAllSent(of: Run): Promise<void> {
  const failed = store.now()?.failed ?? [];
  if (failed.length > 0) update({ state: "undecided" });
  else await finish(of);
}

/** What is here stays; what was left out is said with the outcome. */
async function finish(of: Run): Promise<void> {
  const { device, choices, cancelled } = of;
  cancelled.abort();
  for (const { id } of uploads.photos.now()) cancelUpload(uploads, id);
  uploads.photos.set([]);
  uploads.sent.clear();
  const unsent = (store.now()?.failed ?? []).map(({ name, problem }) => `${name}: ${problem}`);
  const problems = device.posts.flatMap(({ problem }) => problem ?? []);
  const skipped = [...unsent, ...problems].slice(0, limits.archive.leftOut);
  try {
    await endImport(choices.importId, { skipped, leftOut: device.leftOut, known: of.known });
  } catch (error) {
    // It ends by itself, or when its sender presses again.
    of.cancelled = new AbortController();
    return update({ state: "stopped", problem: errorMessage(error) });
  }
  await storedChoices.drop(choices.accountId);
  run = null;
  update({ state: "ended", waits: null });
}

type Begin = {
  device: DeviceExport;
  posts: readonly DevicePost[];
  /** how many of the export were here before it */
  before: number;
  choices: Omit<StoredChoices, "importId" | "chosen">;
};

/** Posts of an export on their way; they go on while their sender looks at something else on Postcard. */
export const importUpload = {
  subscribe: store.subscribe,
  now: store.now,
  photos: uploads.photos,

  /** Begins, or goes on with the open import of this kind. @throws CallError: nothing was sent */
  async begin({ device, posts, before, choices }: Begin): Promise<void> {
    const bytes = posts.reduce((sum, post) => sum + post.bytes, 0);
    const total = { posts: posts.length, bytes };
    const { audience, showNewest } = choices;
    const importId = await beginImport({ kind: device.kind, audience, showNewest, ...total });
    const all = { ...choices, importId, chosen: posts.map(({ key }) => key) };
    await storedChoices.keep(all);
    const cancelled = new AbortController();
    run = { device, choices: all, known: before, queue: [...posts], cancelled };
    const there = { posts: 0, bytes: 0 };
    store.set({ state: "sending", total, there, failed: [], problem: null, waits: null });
    void work(run);
  },

  pause(): void {
    update({ state: "paused", waits: null });
    pauseAll();
  },

  goOn(): void {
    if (run) void work(run);
  },

  /** Sends those again that failed. */
  retry(): void {
    const now = store.now();
    if (!run || !now) return;
    run.queue.push(...now.failed.map(({ post }) => post));
    update({ failed: [] });
    void work(run);
  },

  /** Ends it with what is here. */
  async end(): Promise<void> {
    if (run) await finish(run);
  },

  /** Its outcome was seen. */
  forget(): void {
    if (store.now()?.state !== "ended") return;
    store.set(null);
    importUnderWay.set(false);
  },
};
