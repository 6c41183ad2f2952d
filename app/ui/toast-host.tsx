import { lazy, Suspense, useSyncExternalStore } from "react";
import * as words from "#messages/shell.json";
import { toastsDrawn, toastsShown } from "#app/lib/toasts.ts";

const Toasts = lazy(async () => ({ default: (await import("#app/ui/toasts.tsx")).Toasts }));

const none = { loaded: false, plain: "" };

/** The live region is in the page from the start, so that screen readers listen to it. */
export function ToastHost() {
  const { loaded, plain } = useSyncExternalStore(
    toastsShown.subscribe,
    toastsShown.now,
    () => none,
  );
  return (
    <section
      aria-label={words.messages}
      aria-live="polite"
      className="toasts pointer-events-none fixed z-70 no-print"
    >
      {loaded ? (
        <Suspense fallback={null}>
          <Toasts onDrawn={toastsDrawn} />
        </Suspense>
      ) : null}
      {plain ? (
        <p
          dir="auto"
          className="w-fit max-w-[350px] rounded-box border border-line bg-base-100 px-4 py-3 text-sm shadow-lg"
        >
          {plain}
        </p>
      ) : null}
    </section>
  );
}
