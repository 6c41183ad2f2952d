import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { letTransitionsBeSkipped } from "#app/lib/skipped-transitions.ts";

letTransitionsBeSkipped();

// The page stands painted by now (app/lib/scripts-last.ts): it is taken over in pieces.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
