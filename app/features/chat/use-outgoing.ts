import { useEffect, useState } from "react";
import { outgoingStore } from "#app/features/chat/outgoing-store.ts";
import { createOutbox, type Outgoing } from "#app/features/chat/outbox.ts";
import { sendMessage } from "#app/features/chat/send-message.ts";
import { onLiveGap } from "#app/lib/live/live.ts";

/** Outside of React: messages are sent while their writer is on other pages. */
export const outbox = createOutbox({
  send: sendMessage,
  store: outgoingStore,
  pause: untilConnected,
  onLine: () => navigator.onLine,
});

/** The browser says that it is online, the stream is back, or `ms` have passed. */
function untilConnected(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const done = () => {
      stop.abort();
      stopListening();
      clearTimeout(timer);
      resolve();
    };
    const stopListening = onLiveGap(done);
    window.addEventListener("online", done, { signal: stop.signal });
    const timer = navigator.onLine ? setTimeout(done, ms) : undefined;
  });
}

/** The outgoing messages of a conversation, oldest first. */
export function useOutgoing(senderId: string, threadId: string): Outgoing[] {
  const [all, setAll] = useState<readonly Outgoing[]>([]);
  useEffect(() => {
    // Not an external store: a delivered message must replace its outgoing one in the same render.
    const read = () => setAll(outbox.all());
    read();
    void outbox.restore(senderId, threadId);
    return outbox.subscribe(read);
  }, [senderId, threadId]);
  return all.filter((one) => one.senderId === senderId && one.threadId === threadId);
}
