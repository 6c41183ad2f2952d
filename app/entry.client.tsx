import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { listenBeforeRouter } from "#app/lib/page/history-steps.ts";
import { letTransitionsBeSkipped } from "#app/lib/page/skipped-transitions.ts";

letTransitionsBeSkipped();
listenBeforeRouter();

// The page stands painted by now (app/lib/page/scripts-last.server.ts): it is taken over in pieces.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
