import { lazy, Suspense, useSyncExternalStore } from "react";
import { toastUse } from "#app/lib/toasts.ts";

const Toasts = lazy(async () => ({ default: (await import("#app/ui/toasts.tsx")).Toasts }));

/** The live region stands in the page from the start, so that screen readers listen to it. */
export function ToastHost() {
  const used = useSyncExternalStore(toastUse.subscribe, toastUse.isUsed, () => false);
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-70 no-print"
    >
      {used ? (
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      ) : null}
    </section>
  );
}
