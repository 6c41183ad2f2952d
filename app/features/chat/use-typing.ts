import { useEffect, useRef, useState } from "react";
import { useLive } from "#app/lib/live/live.ts";
import { sendJson } from "#app/lib/api-client.ts";

/** A sign holds so long unless it comes again, milliseconds. */
const holdsMs = 6000;
/** While one goes on writing, the other one is told so often, milliseconds. */
const sendEveryMs = 3000;

/** Where the other one is writing just now. */
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
    /** where no conversation has begun, they who write are told of by themselves */
    isTyping: (conversationId: string | null, otherId: string | undefined) =>
      typing.has(conversationId ?? otherId ?? ""),
    stopped,
  };
}

/** Tells the other one that the member is writing, now and then while it goes on. */
export function useSendTyping(chatId: string): () => void {
  const sentAt = useRef(0);
  return () => {
    const now = Date.now();
    if (now - sentAt.current < sendEveryMs || !navigator.onLine) return;
    sentAt.current = now;
    // Nobody misses a sign that did not come through.
    sendJson("PUT", `/api/chats/${chatId}/typing`).catch(() => undefined);
  };
}
