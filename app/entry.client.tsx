import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { letTransitionsBeSkipped } from "#app/lib/skipped-transitions.ts";

letTransitionsBeSkipped();

function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  });
}

// The page is whole without scripts: it is painted first, and only then taken over, which keeps a
// phone busy for a while. A page in a hidden tab is never painted.
if (document.visibilityState === "hidden") hydrate();
else requestAnimationFrame(() => setTimeout(hydrate));
