import { useEffect, useRef, useState } from "react";
import { useLive } from "#app/lib/live.ts";
import { postForm } from "#app/lib/post-form.ts";

/** A sign holds so long unless it comes again, milliseconds. */
const holdsMs = 6000;
/** While one goes on writing, the other one is told so often, milliseconds. */
const tellEveryMs = 3000;

/** In which conversations the other one is writing just now. */
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
    isTyping: (conversationId: string | null) =>
      conversationId !== null && typing.has(conversationId),
    stopped,
  };
}

/** Tells the other one that the member is writing, now and then while it goes on. */
export function useTellTyping(conversationId: string | null): () => void {
  const toldAt = useRef(0);
  return () => {
    const now = Date.now();
    if (conversationId === null || now - toldAt.current < tellEveryMs || !navigator.onLine) return;
    toldAt.current = now;
    // Nobody misses a sign that did not come through.
    postForm("/calls/chat", { wish: "typing", conversationId }).catch(() => undefined);
  };
}
