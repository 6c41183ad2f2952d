import type { StreamEvent } from "#server/features/talk/live/streams.ts";

/** As many accounts are notified at once, and again after each pause. */
const atOnce = 50;
const pauseMs = 500;
/** However many wait, they are notified within about so many pauses. */
const mostPauses = 60;

/**
 * Spreads events that make browsers request something over time: a post of somebody with thousands
 * of followers would otherwise make every open home page ask at the same moment. Events that come
 * for an account while it waits are sent together, so that its browser asks once.
 */
export function createPacing(send: (accountId: string, events: StreamEvent[]) => void) {
  const waiting = new Map<string, Map<string, StreamEvent>>();
  let portion = atOnce;
  let timer: NodeJS.Timeout | undefined;

  function add(added: readonly { accountId: string; event: StreamEvent }[]): void {
    for (const { accountId, event } of added) {
      const events = waiting.get(accountId) ?? new Map<string, StreamEvent>();
      waiting.set(accountId, events.set(event.key, event));
    }
    portion = Math.max(atOnce, portion, Math.ceil(waiting.size / mostPauses));
    if (!timer) sendPortion();
  }

  function sendPortion(): void {
    let left = portion;
    for (const [accountId, events] of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(accountId);
      send(accountId, [...events.values()]);
    }
    // The pause follows the last portion too: what comes next is collected during it.
    timer = left === portion ? undefined : setTimeout(sendPortion, pauseMs);
    timer?.unref();
    if (!timer) portion = atOnce;
  }

  return { add, stop: () => clearTimeout(timer) };
}
