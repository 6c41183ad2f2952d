import { useEffect, useRef, useState } from "react";
import type { ListedChat } from "#shared/chat.ts";
import type { MessageView, Page } from "#shared/views.ts";
import { useTyping } from "#app/features/chat/use-typing.ts";
import { useLive, useLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/forms/post-form.ts";
import { createListeners } from "#app/lib/store.ts";
import { changeListed, useEndlessList } from "#app/lib/lists/use-endless-list.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

const path = "/api/chats";

/**
 * The list of chats, kept in its order while messages come: newest first, at the end those whom
 * one never wrote to.
 */
export function useChats(read: Page<ListedChat>, viewerId: string) {
  const [first, setFirst] = useFresh(read);
  const list = useEndlessList(first, path);
  const typing = useTyping();
  const unread = useRef<number | null>(null);
  const [seen, setSeen] = useState<Record<string, number>>({});

  /** Something happened to a chat that is not listed yet, or elsewhere. */
  async function readAgain(): Promise<void> {
    try {
      setFirst(await getJson<Page<ListedChat>>(path));
    } catch {
      // What is listed stays; the next event or opening reads it.
    }
  }

  function take(message: MessageView): void {
    typing.stopped(message.conversationId);
    typing.stopped(message.senderId);
    const chat = list.items.find(({ conversationId }) => conversationId === message.conversationId);
    if (!chat) return void readAgain();
    const last = chat.last?.seq ?? 0;
    if (message.seq < last) return;
    const fresh = message.seq > last && message.senderId !== viewerId;
    changeListed<ListedChat>(chat.id, (listed) => ({
      ...listed,
      last: message,
      unread: message.senderId === viewerId ? 0 : listed.unread + (fresh ? 1 : 0),
    }));
  }

  useLive("message", take);
  useLiveGap(() => void readAgain());
  useLive("unread", ({ messages }) => {
    // Fewer than before: something was read in another tab or on another device.
    if (unread.current !== null && messages < unread.current) void readAgain();
    unread.current = messages;
  });
  useEffect(() => threadSeen.on((id, seq) => setSeen((before) => ({ ...before, [id]: seq }))), []);

  const shown = list.items.map((chat) =>
    (seen[chat.id] ?? -1) >= (chat.last?.seq ?? 0) ? { ...chat, unread: 0 } : chat,
  );
  return {
    ...list,
    items: shown.toSorted((a, b) => order(b).localeCompare(order(a))),
    isTyping: (chat: ListedChat) => typing.isTyping(chat.conversationId, chat.other?.id),
  };
}

/** Ids begin with their time; who was never written to keeps the place at the end. */
function order({ last }: ListedChat): string {
  return last?.id ?? "";
}

const threadSeen = createListeners<[chat: string, seq: number]>();

/** The open thread was seen up to a message: its line in the list is not new any more. */
export const tellThreadSeen = threadSeen.tell;
