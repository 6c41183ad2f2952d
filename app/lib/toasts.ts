/** Toasts load with the first one that is needed: nobody pays for them before. */
const load = () => import("react-hot-toast/headless");

let used = false;
const listeners = new Set<() => void>();

async function show(kind: "success" | "error", text: string): Promise<void> {
  used = true;
  for (const listener of listeners) listener();
  const { toast } = await load();
  // The same sentence twice is one toast that stays longer, not a pile.
  toast[kind](text, { id: `${kind} ${text}`, removeDelay: 200 });
}

/** A passing message: 2 s for a success, 4 s for anything else (react-hot-toast's own constants). */
export const notify = {
  success: (text: string) => void show("success", text),
  error: (text: string) => void show("error", text),
};

/** For the host of the toasts: has there been one yet? */
export const toastUse = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isUsed: () => used,
};
