import { useEffect } from "react";
import { sendJson } from "#app/lib/api-client.ts";
import { CheckCircleIcon } from "#app/ui/icons.ts";

/** Where the last visit ended: above it is what is new, below it what was there before. */
export function CaughtUp({ scrolledTo }: { scrolledTo: boolean }) {
  // The server knows what stood on the page it drew, not what came by scrolling. Untold, the line
  // stays here next time, which passes over nothing.
  useEffect(() => {
    if (scrolledTo) void sendJson("PUT", "/api/feed/caught-up").catch(() => undefined);
  }, [scrolledTo]);
  return (
    <p className="flex items-center justify-center gap-2 px-4 py-4 text-sm text-muted">
      <CheckCircleIcon className="size-5 text-primary" aria-hidden />
      You're all caught up. Older posts start here.
    </p>
  );
}
