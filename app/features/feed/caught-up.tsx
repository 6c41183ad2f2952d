import { useEffect } from "react";
import * as words from "#messages/feed.json";
import { sendJson } from "#app/lib/api-client.ts";
import { CheckCircleIcon } from "#app/ui/icons.ts";

/** The end of the last visit: new posts above it, older ones below. */
export function CaughtUp({ scrolledTo }: { scrolledTo: boolean }) {
  // The server knows the posts of the page it rendered, not those loaded by scrolling. If this call fails,
  // the line stays here next time, which skips nothing.
  useEffect(() => {
    if (scrolledTo) void sendJson("PUT", "/api/feed/caught-up").catch(() => undefined);
  }, [scrolledTo]);
  return (
    <p className="flex items-center justify-center gap-2 px-4 py-4 text-sm text-muted">
      <CheckCircleIcon className="size-5 text-primary" aria-hidden />
      {words.caughtUpHere}
    </p>
  );
}
