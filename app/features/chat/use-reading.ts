import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { tellThreadSeen } from "#app/features/chat/use-chats.ts";
import type { OpenedThread } from "#app/features/chat/read-thread.server.ts";
import type { useThread } from "#app/features/chat/use-thread.ts";
import { useLive } from "#app/lib/live/live.ts";
import { sendJson } from "#app/lib/forms/post-form.ts";

type Options = {
  scroller: RefObject<HTMLDivElement | null>;
  thread: ReturnType<typeof useThread>;
  opened: OpenedThread;
  viewerId: string;
  sent: number;
};

/** So near to the end one is at the end, CSS pixels. */
const nearEnd = 60;
/** So far from a side its messages are fetched. */
const ahead = 800;
/** Marks are sent at most so often, milliseconds. */
const markEveryMs = 300;

const isLooking = () => document.visibilityState === "visible" && document.hasFocus();

/**
 * Where in a thread one is, and up to where one has seen it. The scroller counts from its end
 * (`flex-col-reverse`): 0 is the newest message, negative is further up.
 */
export function useReading({ scroller, thread, opened, viewerId, sent }: Options) {
  const { window: shown, outgoing, threadId, conversationId } = thread;
  const anchor = useRef<{ message: Element; top: number } | null>(null);
  const marked = useRef(opened.readSeq);
  const lookAgain = useRef(false);
  const markTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [away, setAway] = useState(false);
  const [below, setBelow] = useState(0);
  const [firstNew, setFirstNew] = useState(() => firstUnread(opened, viewerId));
  const last = shown.messages.at(-1)?.seq ?? 0;

  const atEnd = () => (scroller.current?.scrollTop ?? 0) > -nearEnd && !shown.newer;

  /** The first message that is seen, so that it can be kept where it is. */
  const remember = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const { top } = box.getBoundingClientRect();
    // Not the row: its room above and below changes with its neighbours.
    const message = [...box.querySelectorAll("[data-seq] > :first-child")].find(
      (one) => one.getBoundingClientRect().bottom > top,
    );
    anchor.current = message ? { message, top: message.getBoundingClientRect().top } : null;
  }, [scroller]);

  function markSeen(): void {
    const box = scroller.current;
    if (!box || conversationId === null || !isLooking()) return;
    const { bottom } = box.getBoundingClientRect();
    const seen = [...box.querySelectorAll<HTMLElement>("[data-seq]")].findLast(
      (row) => row.getBoundingClientRect().top < bottom - 8,
    );
    const seq = Number(seen?.dataset["seq"] ?? 0);
    if (seq <= marked.current) return;
    const before = marked.current;
    marked.current = seq;
    if (seq >= last && !shown.newer) tellThreadSeen(threadId, seq);
    sendJson("PUT", `/api/chats/${conversationId}/read`, { seq }).catch(() => {
      // Said again with the next look.
      marked.current = Math.min(marked.current, before);
    });
  }

  const look = useEffectEvent(() => {
    const end = atEnd();
    setAway(!end);
    if (end) setBelow(0);
    markSeen();
    const box = scroller.current;
    if (!box) return;
    const above = box.scrollHeight - box.clientHeight + box.scrollTop;
    if (shown.older && above < ahead && thread.reading.older === "idle") void thread.loadOlder();
    if (shown.newer && -box.scrollTop < ahead && thread.reading.newer === "idle") {
      void thread.loadNewer();
    }
  });

  /** At once, and then now and then while there are reasons. */
  const lookSoon = useEffectEvent(() => {
    if (markTimer.current !== undefined) {
      lookAgain.current = true;
      return;
    }
    look();
    markTimer.current = setTimeout(() => {
      markTimer.current = undefined;
      if (!lookAgain.current) return;
      lookAgain.current = false;
      lookSoon();
    }, markEveryMs);
  });

  function onScroll(): void {
    remember();
    if (atEnd()) setAway(false);
    lookSoon();
  }

  // It opens at its end by itself; where much is new, where that begins.
  useLayoutEffect(() => {
    const divider = scroller.current?.querySelector("#new");
    if (divider) divider.scrollIntoView({ block: "nearest" });
    remember();
  }, [scroller, remember]);

  // What was added or taken away moves nothing that one looks at, and at the end one stays there.
  const wasAtEnd = useRef(true);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const kept = anchor.current;
    if (box.scrollTop > -nearEnd && wasAtEnd.current) box.scrollTop = 0;
    else if (kept?.message.isConnected) {
      box.scrollTop += kept.message.getBoundingClientRect().top - kept.top;
    }
    wasAtEnd.current = !shown.newer;
    remember();
  }, [scroller, shown, outgoing.length, remember]);

  // What one sends is seen by oneself.
  const showEnd = useEffectEvent(() => void toEnd());
  useEffect(() => {
    if (sent > 0) showEnd();
  }, [sent]);

  useEffect(() => {
    lookSoon();
  }, [shown, conversationId]);
  useEffect(() => {
    const stop = new AbortController();
    for (const target of [window, document]) {
      for (const type of ["focus", "visibilitychange", "resize", "online"]) {
        target.addEventListener(type, () => lookSoon(), { signal: stop.signal });
      }
    }
    return () => {
      stop.abort();
      clearTimeout(markTimer.current);
      markTimer.current = undefined;
    };
  }, []);

  useLive("message", ({ conversationId: where, senderId, seq, deleted }) => {
    if (where !== conversationId || senderId === viewerId || deleted || seq <= last) return;
    if (!atEnd()) setBelow((count) => count + 1);
    // It came while nobody looked.
    if (!isLooking() && (firstNew === null || firstNew <= marked.current)) setFirstNew(seq);
  });

  async function toEnd(): Promise<void> {
    setFirstNew((seq) => (sent > 0 ? null : seq));
    if (shown.newer) {
      anchor.current = null;
      wasAtEnd.current = true;
      await thread.showNewest();
    }
    scroller.current?.scrollTo({ top: 0, behavior: "instant" });
    setBelow(0);
  }

  return { onScroll, away, below, firstNew, toEnd: () => void toEnd() };
}

/** The first message of the other one that the viewer has not seen, as the thread was opened. */
function firstUnread({ slice, readSeq }: OpenedThread, viewerId: string): number | null {
  const fresh = slice.messages.find(
    ({ seq, senderId, deleted }) => seq > readSeq && senderId !== viewerId && !deleted,
  );
  return fresh?.seq ?? null;
}
