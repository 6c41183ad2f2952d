import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { announceConversationSeen } from "#app/features/chat/use-conversations.ts";
import type { OpenedConversation } from "#app/features/chat/read-conversation.server.ts";
import type { useConversation } from "#app/features/chat/use-conversation.ts";
import { useLive } from "#app/lib/live/live.ts";
import { sendJson } from "#app/lib/api-client.ts";

type Options = {
  scroller: Scroller;
  conversation: ReturnType<typeof useConversation>;
  opened: OpenedConversation;
  viewerId: string;
  sent: number;
};

/** Closer to the end than this counts as the end, CSS pixels. */
const nearEnd = 60;
/** Closer to either end than this, more messages are fetched, CSS pixels. */
const ahead = 800;
/** Read marks are sent at most this often, milliseconds. */
const markEveryMs = 300;

const isPageActive = () => document.visibilityState === "visible" && document.hasFocus();

type Scroller = RefObject<HTMLDivElement | null>;

type Anchor = { message: Element; top: number };

/** The first visible message, so that it can be held in place. */
function anchorIn(box: HTMLElement | null): Anchor | null {
  if (!box) return null;
  const { top } = box.getBoundingClientRect();
  // Not the row: its spacing above and below changes with its neighbours.
  const message = [...box.querySelectorAll("[data-seq] > :first-child")].find(
    (one) => one.getBoundingClientRect().bottom > top,
  );
  return message ? { message, top: message.getBoundingClientRect().top } : null;
}

/** Adding or removing messages moves nothing that is looked at; at the end, the view stays there. */
function useScrollAnchor(scroller: Scroller, { window: shown, outgoing }: Options["conversation"]) {
  const anchor = useRef<Anchor | null>(null);
  const wasAtEnd = useRef(true);

  // It opens at its end by default; where much is new, at the first new message.
  useLayoutEffect(() => {
    const divider = scroller.current?.querySelector("#new");
    if (divider) divider.scrollIntoView({ block: "nearest" });
    anchor.current = anchorIn(scroller.current);
  }, [scroller]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const previous = anchor.current;
    if (box.scrollTop > -nearEnd && wasAtEnd.current) box.scrollTo({ top: 0, behavior: "instant" });
    else if (previous?.message.isConnected) {
      const moved = previous.message.getBoundingClientRect().top - previous.top;
      box.scrollBy({ top: moved, behavior: "instant" });
    }
    wasAtEnd.current = !shown.newer;
    anchor.current = anchorIn(box);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [scroller, shown, outgoing.length]);

  return {
    remember(): void {
      anchor.current = anchorIn(scroller.current);
    },
    letGo(): void {
      anchor.current = null;
      wasAtEnd.current = true;
    },
  };
}

/** Reports to the server up to where the viewer has seen the conversation. */
function useReadMarker(scroller: Scroller, conversation: Options["conversation"], readSeq: number) {
  const marked = useRef(readSeq);
  const { window: shown, threadId, conversationId } = conversation;

  function markSeen(): void {
    const box = scroller.current;
    if (!box || conversationId === null || !isPageActive()) return;
    const { bottom } = box.getBoundingClientRect();
    const seen = [...box.querySelectorAll<HTMLElement>("[data-seq]")].findLast(
      (row) => row.getBoundingClientRect().top < bottom - 8,
    );
    const seq = Number(seen?.dataset["seq"] ?? 0);
    if (seq <= marked.current) return;
    const before = marked.current;
    marked.current = seq;
    if (seq >= lastOf(shown) && !shown.newer) announceConversationSeen(threadId, seq);
    sendJson("PUT", `/api/chats/${conversationId}/read`, { seq }).catch(() => {
      // Reported again with the next look.
      marked.current = Math.min(marked.current, before);
    });
  }
  return { marked, markSeen };
}

const lastOf = ({ messages }: Options["conversation"]["window"]) => messages.at(-1)?.seq ?? 0;

/**
 * Calls `look` on request, and when the page becomes visible again: at once, and then at intervals while
 * there is reason to.
 */
function useThrottledLook(look: () => void): () => void {
  const again = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function soon(): void {
    if (timer.current !== undefined) {
      again.current = true;
      return;
    }
    look();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (!again.current) return;
      again.current = false;
      // oxlint-disable-next-line react/immutability -- it is set by then
      lookSoon();
    }, markEveryMs);
  }
  const lookSoon = useEffectEvent(soon);

  useEffect(() => {
    const stop = new AbortController();
    for (const target of [window, document]) {
      for (const type of ["focus", "visibilitychange", "resize", "online"]) {
        target.addEventListener(type, () => lookSoon(), { signal: stop.signal });
      }
    }
    return () => {
      stop.abort();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
  return soon;
}

/**
 * Where in a conversation one is, and up to where one has seen it. The scroller counts from its end
 * (`flex-col-reverse`): 0 is the newest message, negative is further up.
 */
export function useReadPosition({ scroller, conversation, opened, viewerId, sent }: Options) {
  const { window: shown, conversationId } = conversation;
  const [away, setAway] = useState(false);
  const [below, setBelow] = useState(0);
  const [firstNew, setFirstNew] = useState(() => firstUnread(opened, viewerId));
  const { remember, letGo } = useScrollAnchor(scroller, conversation);
  const { marked, markSeen } = useReadMarker(scroller, conversation, opened.readSeq);

  const atEnd = () => (scroller.current?.scrollTop ?? 0) > -nearEnd && !shown.newer;

  const lookSoon = useThrottledLook(() => {
    const end = atEnd();
    setAway(!end);
    if (end) setBelow(0);
    markSeen();
    const box = scroller.current;
    if (!box) return;
    const above = box.scrollHeight - box.clientHeight + box.scrollTop;
    if (shown.older && above < ahead && conversation.reading.older === "idle")
      void conversation.loadOlder();
    if (shown.newer && -box.scrollTop < ahead && conversation.reading.newer === "idle") {
      void conversation.loadNewer();
    }
  });
  const lookAtChange = useEffectEvent(lookSoon);
  // Only the drawn page knows the current position.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies, react/set-state-in-effect
  useEffect(() => lookAtChange(), [shown, conversationId]);

  function onScroll(): void {
    remember();
    if (atEnd()) setAway(false);
    lookSoon();
  }

  useLive("message", ({ conversationId: where, senderId, seq, deleted }) => {
    if (where !== conversationId || senderId === viewerId || deleted || seq <= lastOf(shown))
      return;
    if (!atEnd()) setBelow((count) => count + 1);
    // It arrived while the page was not visible.
    if (!isPageActive() && (firstNew === null || firstNew <= marked.current)) setFirstNew(seq);
  });

  async function toEnd(): Promise<void> {
    setFirstNew((seq) => (sent > 0 ? null : seq));
    if (shown.newer) {
      letGo();
      await conversation.showNewest();
    }
    scroller.current?.scrollTo({ top: 0, behavior: "instant" });
    setBelow(0);
  }
  // One has seen what one sent.
  const showEnd = useEffectEvent(() => void toEnd());
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    if (sent > 0) showEnd();
  }, [sent]);

  return { onScroll, away, below, firstNew, toEnd: () => void toEnd() };
}

/** The first message of the other party that the viewer had not seen when the conversation was opened. */
function firstUnread({ slice, readSeq }: OpenedConversation, viewerId: string): number | null {
  const fresh = slice.messages.find(
    ({ seq, senderId, deleted }) => seq > readSeq && senderId !== viewerId && !deleted,
  );
  return fresh?.seq ?? null;
}
