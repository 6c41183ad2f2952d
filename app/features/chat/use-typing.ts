import { useEffect, useRef, useState } from "react";
import { useLive } from "#app/lib/live/live.ts";
import { sendJson } from "#app/lib/api-client.ts";

/** A typing signal lasts this long unless it is repeated, milliseconds. */
const holdsMs = 6000;
/** While one goes on typing, the signal is repeated this often, milliseconds. */
const sendEveryMs = 3000;

/** Where the other party is typing right now. */
export function useTyping() {
  const [typing, setTyping] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  function stopped(conversationId: string): void {
    clearTimeout(timers.current.get(conversationId));
    timers.current.delete(conversationId);
    setTyping((before) => {
      if (!before.has(conversationId)) return before;
      return new Set([...before].filter((one) => one !== conversationId));
    });
  }

  useLive("typing", (conversationId) => {
    clearTimeout(timers.current.get(conversationId));
    timers.current.set(
      conversationId,
      setTimeout(() => stopped(conversationId), holdsMs),
    );
    setTyping((before) => new Set([...before, conversationId]));
  });
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
    };
  }, []);

  return {
    /** where there is no conversation yet, the account id of the one who types names it */
    isTyping: (conversationId: string | null, otherId: string | undefined) =>
      typing.has(conversationId ?? otherId ?? ""),
    stopped,
  };
}

/** Signals to the other party that the member is typing, at intervals while it goes on. */
export function useSendTyping(chatId: string): () => void {
  const sentAt = useRef(0);
  return () => {
    const now = Date.now();
    if (now - sentAt.current < sendEveryMs || !navigator.onLine) return;
    sentAt.current = now;
    // A lost signal does no harm.
    sendJson("PUT", `/api/chats/${chatId}/typing`).catch(() => undefined);
  };
}
