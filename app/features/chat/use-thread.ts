import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { aboveEveryMessage } from "#shared/chat.ts";
import type { MessageView } from "#shared/views.ts";
import type { OpenedThread, Slice } from "#app/features/chat/read-thread.server.ts";
import { withMessage, withNewer, withOlder, withRead } from "#app/features/chat/thread-window.ts";
import { outbox, useOutgoing } from "#app/features/chat/use-outgoing.ts";
import { useLive, useLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/forms/post-form.ts";

type Read = { messages: MessageView[]; more: boolean; otherReadSeq: number };
type Reading = "idle" | "loading" | "failed";

/**
 * The part of a thread that is shown, kept true: by the stream, by what is read again after a gap,
 * and by what is sent from here. At most 200 messages stand in it; the rest is read when one gets
 * there.
 */
export function useThread(read: OpenedThread, viewerId: string) {
  const { revalidate } = useRevalidator();
  const threadId = read.other?.id ?? read.conversationId ?? "";
  const [loaded, setLoaded] = useState(read);
  const [window, setWindow] = useState<Slice>(read.slice);
  const [conversationId, setConversationId] = useState(read.conversationId);
  const [otherReadSeq, setOtherReadSeq] = useState(read.otherReadSeq);
  const [older, setOlder] = useState<Reading>("idle");
  const [newer, setNewer] = useState<Reading>("idle");
  const busy = useRef(new Set<string>());
  /** The newest message that was heard of, shown or not. */
  const newest = useRef(read.slice.messages.at(-1)?.seq ?? 0);
  const outgoing = useOutgoing(viewerId, threadId);

  // The loader ran again: what it found is added to what is shown.
  if (loaded !== read) {
    setLoaded(read);
    setWindow((shown) =>
      shown.messages.length > 0 ? withRead(shown, read.slice.messages) : read.slice,
    );
    setConversationId(read.conversationId);
    setOtherReadSeq((seq) => Math.max(seq, read.otherReadSeq));
  }

  function take(message: MessageView): void {
    newest.current = Math.max(newest.current, message.seq);
    setConversationId(message.conversationId);
    setWindow((shown) => withMessage(shown, message));
  }

  async function readMore(side: "before" | "after", seq: number): Promise<Read> {
    return getJson<Read>(`/api/chats/${conversationId}/messages/range?${side}=${seq}`);
  }

  /** One reading of a kind at a time; what failed is offered again. */
  async function alone(
    kind: string,
    set: (reading: Reading) => void,
    work: () => Promise<void>,
  ): Promise<void> {
    if (busy.current.has(kind) || conversationId === null) return;
    busy.current.add(kind);
    set("loading");
    try {
      await work();
      set("idle");
    } catch {
      set("failed");
    } finally {
      busy.current.delete(kind);
    }
  }

  /** A message came while this was being read: there is more to read behind it. */
  const isBehind = ({ messages }: Read) =>
    messages.length > 0 && (messages.at(-1)?.seq ?? 0) < newest.current;

  const loadOlder = () =>
    alone("older", setOlder, async () => {
      const page = await readMore("before", window.messages[0]?.seq ?? aboveEveryMessage);
      setWindow((shown) => withOlder(shown, page));
    });

  const loadNewer = () =>
    alone("newer", setNewer, async () => {
      const page = await readMore("after", window.messages.at(-1)?.seq ?? 0);
      setWindow((shown) => withNewer(shown, { ...page, more: page.more || isBehind(page) }));
    });

  const showNewest = () =>
    alone("newer", setNewer, async () => {
      const page = await readMore("before", aboveEveryMessage);
      setWindow({ messages: page.messages, older: page.more, newer: isBehind(page) });
    });

  useLive("message", (message) => {
    const here =
      message.conversationId === conversationId ||
      (conversationId === null && message.senderId === read.other?.id);
    if (here) take(message);
    // Written in another tab, it may be the first one of this thread.
    else if (conversationId === null && message.senderId === viewerId) void revalidate();
  });

  useLive("read", (what) => {
    const [conversation, seq] = what.split(".");
    if (conversation === conversationId) {
      setOtherReadSeq((known) => Math.max(known, Number(seq)));
    }
  });

  /** What came since, and what may have changed of what is shown: a page at a time. */
  async function readAgain(from: "after" | "shown"): Promise<void> {
    const last = window.messages.at(-1)?.seq ?? 0;
    let after = from === "after" ? last : (window.messages[0]?.seq ?? 1) - 1;
    try {
      for (;;) {
        const page = await readMore("after", after);
        setOtherReadSeq((known) => Math.max(known, page.otherReadSeq));
        setWindow((shown) => withRead(shown, page.messages));
        after = page.messages.at(-1)?.seq ?? aboveEveryMessage;
        // What is further down is read when one gets there.
        if (!page.more || window.newer) break;
      }
    } catch {
      // The stream's next gap, or the next reading of the page, finds it.
    }
  }

  useLiveGap(({ complete }) => {
    if (conversationId === null) void revalidate();
    else void readAgain(complete ? "after" : "shown");
  });

  const takeDelivered = useEffectEvent(take);
  useEffect(
    () =>
      outbox.onDelivered((message, where) => {
        if (where === threadId) takeDelivered(message);
      }),
    [threadId],
  );

  // The stream may have been faster than the answer, or another tab sent it.
  const there = new Set(window.messages.map(({ clientKey }) => clientKey));
  const arrived = outgoing.filter(({ clientKey }) => there.has(clientKey));
  useEffect(() => {
    for (const { clientKey } of arrived) outbox.drop(clientKey);
  });

  return {
    threadId,
    conversationId,
    window,
    otherReadSeq,
    outgoing: outgoing.filter(({ clientKey }) => !there.has(clientKey)),
    reading: { older, newer },
    take,
    loadOlder,
    loadNewer,
    showNewest,
  };
}
