import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { listenBeforeRouter } from "#app/lib/page/history-steps.ts";
import { letTransitionsBeSkipped } from "#app/lib/page/skipped-transitions.ts";

letTransitionsBeSkipped();
listenBeforeRouter();

// The page is painted by now (app/lib/page/scripts-last.server.ts): hydrate it in parts.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
