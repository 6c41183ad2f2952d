import { useEffect } from "react";

/**
 * Members hear of what happens as it happens. What does it is loaded for them alone, once the page
 * is alive; where it cannot be loaded, the page says what it said when it was read.
 */
export function useLiveConnection(viewerId: string | null): void {
  useEffect(() => {
    if (viewerId === null) return;
    const ended = new AbortController();
    void begin(viewerId, ended.signal);
    return () => ended.abort();
  }, [viewerId]);
}

async function begin(viewerId: string, ended: AbortSignal): Promise<void> {
  try {
    const { connectLive } = await import("#app/lib/live/connect-live.ts");
    if (!ended.aborted) ended.addEventListener("abort", connectLive(viewerId));
  } catch {
    // The page is whole without it.
  }
}
