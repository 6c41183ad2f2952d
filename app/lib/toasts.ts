import { createStore } from "#app/lib/store.ts";

/**
 * Toasts load with the first one that is needed. Their two halves load together, so that a stored toast is
 * also rendered.
 */
async function load() {
  const [{ toast }] = await Promise.all([
    import("react-hot-toast/headless"),
    import("#app/ui/toasts.tsx"),
  ]);
  return toast;
}

/** The specification's 4 seconds, in milliseconds, for a message that no toast could be loaded for. */
const plainMs = 4_000;

/** For the host of the toasts: whether their code has loaded, and the message shown without it. */
export const toastsShown = createStore({ loaded: false, plain: "" });
let timer: ReturnType<typeof setTimeout> | undefined;

const showPlainly = (plain: string) => toastsShown.set({ ...toastsShown.now(), plain });

async function show(kind: "success" | "error", text: string): Promise<void> {
  try {
    const toast = await load();
    toastsShown.set({ ...toastsShown.now(), loaded: true });
    // Its time begins when its place is rendered: before that nobody could read it.
    await drawn();
    // The same message twice is one toast that stays longer, not a pile.
    toast[kind](text, { id: `${kind} ${text}`, removeDelay: 200 });
  } catch {
    // The lost connection is often the message itself.
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

/** Whether the toast host is mounted, and the callbacks that wait for it. */
let mounted = false;
const waiting: (() => void)[] = [];

function drawn(): Promise<void> {
  return new Promise((resolve) => {
    if (mounted) resolve();
    else waiting.push(resolve);
  });
}

/** For the toast host: it is mounted. @returns a function for its unmount */
export function toastsDrawn(): () => void {
  mounted = true;
  for (const go of waiting.splice(0)) go();
  return () => {
    mounted = false;
  };
}
