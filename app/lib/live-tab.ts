import type { LiveEvents, LiveType } from "#shared/live.ts";
import { tellLive, tellLiveGap } from "#app/lib/live.ts";
import { openStream } from "#app/lib/live-stream.ts";

/** Opens the member's stream for this page. @returns the way to close it */
export function beLive(accountId: string): () => void {
  const stream = openStream({
    accountId,
    after: null,
    onEvent: ({ type, data }) => {
      if (type === "hello") tellLiveGap({ complete: (data as { complete: boolean }).complete });
      else if (type !== "level") tellLive(type as LiveType, data as LiveEvents[LiveType]);
    },
  });
  return stream.close;
}
