import type { Written } from "#app/features/posts/composer/publish-post.ts";
import { draftPrefix } from "#app/lib/browser-data.ts";
import { browserStorage } from "#app/lib/storage.ts";
import { createStore } from "#app/lib/store.ts";

/**
 * A post that is sent while its author looks at something else. `left`: an earlier page was closed before it
 * was out, and it is a draft now.
 */
type BackgroundPost =
  | { state: "sending"; written: Written }
  | { state: "failed"; written: Written; problem: string }
  | { state: "posted"; number: number }
  | { state: "left" };

/** Says to the next page that a post was on its way; removed like a draft. */
const key = `${draftPrefix}on its way`;

const store = createStore<BackgroundPost | null>(
  // A server has no storage, and Node warns whoever asks it for one.
  !import.meta.env.SSR && browserStorage.read(key) ? { state: "left" } : null,
);

const now = () => store.now();

/** Whether these photos are those of the post in the background. */
function has(photos: Written["photos"]): boolean {
  const post = now();
  return post !== null && "written" in post && post.written.photos === photos;
}

function set(post: BackgroundPost | null): void {
  browserStorage.write(key, post && "written" in post ? "1" : null);
  store.set(post);
}

function wentOut(event: StorageEvent): void {
  if (event.key === key && event.newValue === null && now()?.state === "left") store.set(null);
}

/** There is one at most. */
export const backgroundPost = {
  subscribe: store.subscribe,
  now,
  set,
  has,

  /** Calls `end` at once, or when these photos are not in the background any more. */
  whenWithout(photos: Written["photos"], end: () => void): void {
    if (!has(photos)) return end();
    const stop = store.subscribe(() => {
      if (has(photos)) return;
      stop();
      end();
    });
  },

  /** The draft that is being sent, which no composer opens. */
  draftId(): string | null {
    const post = now();
    return post?.state === "sending" ? post.written.autosave.id() : null;
  },

  /** One that waits for its author is a draft again. */
  takeBack(): void {
    if (now() !== null && now()?.state !== "sending") set(null);
  },

  /** In another tab the post went out. @returns a function that stops listening */
  followOtherTabs(): () => void {
    addEventListener("storage", wentOut);
    return () => removeEventListener("storage", wentOut);
  },
};
