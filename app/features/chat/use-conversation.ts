import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { aboveEveryMessage } from "#shared/chat.ts";
import type { MessageView } from "#shared/views.ts";
import type {
  OpenedConversation,
  MessageSlice,
} from "#app/features/chat/read-conversation.server.ts";
import { withMessage, withNewer, withOlder, withRead } from "#app/features/chat/message-window.ts";
import { outbox, useOutgoing } from "#app/features/chat/use-outgoing.ts";
import { useLive, useLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/api-client.ts";

type Read = { messages: MessageView[]; more: boolean; otherReadSeq: number };
type Reading = "idle" | "loading" | "failed";
type Side = "older" | "newer";

/** One read of a kind at a time; a failed one can be retried. */
function useReadings() {
  const [reading, setReading] = useState<Record<Side, Reading>>({ older: "idle", newer: "idle" });
  const busy = useRef(new Set<Side>());

  async function alone(side: Side, work: () => Promise<void>): Promise<void> {
    if (busy.current.has(side)) return;
    const set = (now: Reading) => setReading((before) => ({ ...before, [side]: now }));
    busy.current.add(side);
    set("loading");
    try {
      await work();
      set("idle");
    } catch {
      set("failed");
    } finally {
      busy.current.delete(side);
    }
  }
  return { reading, alone };
}

/** Outgoing messages without those that have arrived: the stream may be faster, or another tab sent them. */
function useUndelivered(
  { viewerId, threadId }: { viewerId: string; threadId: string },
  messages: readonly MessageView[],
  onDelivered: (message: MessageView) => void,
) {
  const outgoing = useOutgoing(viewerId, threadId);
  const takeDelivered = useEffectEvent(onDelivered);
  useEffect(
    () =>
      outbox.onDelivered((message, where) => {
        if (where === threadId) takeDelivered(message);
      }),
    [threadId],
  );
  const there = new Set(messages.map(({ clientKey }) => clientKey));
  const arrived = outgoing.filter(({ clientKey }) => there.has(clientKey));
  useEffect(() => {
    for (const { clientKey } of arrived) outbox.drop(clientKey);
  });
  return outgoing.filter(({ clientKey }) => !there.has(clientKey));
}

/**
 * The shown part of a conversation, kept up to date by the stream, by reading again after a gap, and by
 * what is sent from here. It holds at most 200 messages; the rest is read as one scrolls there.
 */
export function useConversation(read: OpenedConversation, viewerId: string) {
  const { revalidate } = useRevalidator();
  const threadId = read.other?.id ?? read.conversationId ?? "";
  const [loaded, setLoaded] = useState(read);
  const [window, setWindow] = useState<MessageSlice>(read.slice);
  const [conversationId, setConversationId] = useState(read.conversationId);
  const [otherReadSeq, setOtherReadSeq] = useState(read.otherReadSeq);
  const noteRead = (seq: number) => setOtherReadSeq((known) => Math.max(known, seq));
  /** The newest message known of, shown or not. */
  const newest = useRef(read.slice.messages.at(-1)?.seq ?? 0);
  const last = window.messages.at(-1)?.seq ?? 0;

  // The loader ran again: its messages are added to those shown.
  if (loaded !== read) {
    setLoaded(read);
    setWindow((shown) =>
      shown.messages.length > 0 ? withRead(shown, read.slice.messages) : read.slice,
    );
    setConversationId(read.conversationId);
    noteRead(read.otherReadSeq);
  }

  function take(message: MessageView): void {
    newest.current = Math.max(newest.current, message.seq);
    setConversationId(message.conversationId);
    setWindow((shown) => withMessage(shown, message));
  }
  const outgoing = useUndelivered({ viewerId, threadId }, window.messages, take);

  useLive("message", (message) => {
    const here =
      message.conversationId === conversationId ||
      (conversationId === null && message.senderId === read.other?.id);
    if (here) take(message);
    // Sent from another tab, it may be the first message of this conversation.
    else if (conversationId === null && message.senderId === viewerId) void revalidate();
  });

  useLive("read", (what) => {
    const [conversation, seq] = what.split(".");
    if (conversation === conversationId) noteRead(Number(seq));
  });

  const readMore = (side: "before" | "after", seq: number) =>
    getJson<Read>(`/api/chats/${conversationId}/messages/range?${side}=${seq}`);

  /** Reads what came since, and what may have changed of what is shown: a page at a time. */
  async function readAgain(from: "after" | "shown"): Promise<void> {
    let after = from === "after" ? last : (window.messages[0]?.seq ?? 1) - 1;
    try {
      for (;;) {
        const page = await readMore("after", after);
        noteRead(page.otherReadSeq);
        setWindow((shown) => withRead(shown, page.messages));
        after = page.messages.at(-1)?.seq ?? aboveEveryMessage;
        // What is further down is read when one scrolls there.
        if (!page.more || window.newer) break;
      }
    } catch {
      // The stream's next gap, or the next read of the page, finds it.
    }
  }

  useLiveGap(({ complete }) => {
    if (conversationId === null) void revalidate();
    else void readAgain(complete ? "after" : "shown");
  });

  const { reading, alone } = useReadings();
  /** A message arrived during this read: there is more to read after it. */
  const isBehind = ({ messages }: Read) =>
    messages.length > 0 && (messages.at(-1)?.seq ?? 0) < newest.current;

  async function load(
    side: Side,
    from: ["before" | "after", number],
    put: (shown: MessageSlice, page: Read) => MessageSlice,
  ): Promise<void> {
    if (conversationId === null) return;
    await alone(side, async () => {
      const page = await readMore(...from);
      setWindow((shown) => put(shown, page));
    });
  }

  return {
    threadId,
    conversationId,
    window,
    otherReadSeq,
    outgoing,
    reading,
    take,
    loadOlder: () =>
      load("older", ["before", window.messages[0]?.seq ?? aboveEveryMessage], withOlder),
    loadNewer: () =>
      load("newer", ["after", last], (shown, page) =>
        withNewer(shown, { ...page, more: page.more || isBehind(page) }),
      ),
    showNewest: () =>
      load("newer", ["before", aboveEveryMessage], (_shown, page) => ({
        messages: page.messages,
        older: page.more,
        newer: isBehind(page),
      })),
  };
}
