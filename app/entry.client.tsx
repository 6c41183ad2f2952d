import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { loadSentencesSoon } from "#app/lib/text/said.ts";
import { listenBeforeRouter } from "#app/lib/page/history-steps.ts";
import { ignoreSkippedTransitions } from "#app/lib/page/skipped-transitions.ts";

ignoreSkippedTransitions();
listenBeforeRouter();
loadSentencesSoon();

// The page is painted by now (app/lib/page/scripts-last.server.ts): hydrate it in parts.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
