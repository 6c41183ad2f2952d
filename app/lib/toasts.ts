import { createStore } from "#app/lib/store.ts";

/**
 * Toasts load with the first one that is needed: nobody pays for them before. Their two halves come
 * together, so that what is kept is also drawn.
 */
async function load() {
  const [{ toast }] = await Promise.all([
    import("react-hot-toast/headless"),
    import("#app/ui/toasts.tsx"),
  ]);
  return toast;
}

/** The specification's 4 seconds, in milliseconds, for a sentence that no toast could be loaded for. */
const plainMs = 4_000;

/** For the host of the toasts: whether their code is there, and what is told without it. */
export const toastsShown = createStore({ loaded: false, plain: "" });
let timer: ReturnType<typeof setTimeout> | undefined;

const showPlainly = (plain: string) => toastsShown.set({ ...toastsShown.now(), plain });

async function show(kind: "success" | "error", text: string): Promise<void> {
  try {
    const toast = await load();
    toastsShown.set({ ...toastsShown.now(), loaded: true });
    // Its time begins with it: before its place is drawn nobody could read it.
    await drawn();
    // The same sentence twice is one toast that stays longer, not a pile.
    toast[kind](text, { id: `${kind} ${text}`, removeDelay: 200 });
  } catch {
    // The line that broke is often what there is to tell.
    clearTimeout(timer);
    showPlainly(text);
    timer = setTimeout(() => showPlainly(""), plainMs);
  }
}

/** A passing message: 2 s for a success, 4 s for anything else (react-hot-toast's own constants). */
export const notify = {
  success: (text: string) => void show("success", text),
  error: (text: string) => void show("error", text),
};

/** Whether what draws the toasts stands in the page, and who waits for it. */
let standing = false;
const waiting: (() => void)[] = [];

function drawn(): Promise<void> {
  return new Promise((resolve) => {
    if (standing) resolve();
    else waiting.push(resolve);
  });
}

/** For what draws the toasts: it stands in the page from now on. @returns how to say that it went */
export function toastsDrawn(): () => void {
  standing = true;
  for (const go of waiting.splice(0)) go();
  return () => {
    standing = false;
  };
}
