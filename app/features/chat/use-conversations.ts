import { useEffect, useRef, useState } from "react";
import type { ListedConversation } from "#shared/chat.ts";
import type { MessageView, Page } from "#shared/views.ts";
import { useTyping } from "#app/features/chat/use-typing.ts";
import { useLive, useLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/api-client.ts";
import { createListeners } from "#app/lib/store.ts";
import { changeListed, useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";

const path = "/api/chats";

/** The list of conversations while messages arrive: newest first, at the end those without a message. */
export function useConversations(read: Page<ListedConversation>, viewerId: string) {
  const [first, setFirst] = useResettableState(read);
  const list = useInfiniteList(first, path);
  const typing = useTyping();
  const unread = useRef<number | null>(null);
  const [seen, setSeen] = useState<Record<string, number>>({});

  /** Something happened to a conversation that is not listed yet, or on another page. */
  async function readAgain(): Promise<void> {
    try {
      setFirst(await getJson<Page<ListedConversation>>(path));
    } catch {
      // The list stays as it is; the next event or visit reads it.
    }
  }

  function take(message: MessageView): void {
    typing.stopped(message.conversationId);
    typing.stopped(message.senderId);
    const conversation = list.items.find(
      ({ conversationId }) => conversationId === message.conversationId,
    );
    if (!conversation) return void readAgain();
    const last = conversation.last?.seq ?? 0;
    if (message.seq < last) return;
    const fresh = message.seq > last && message.senderId !== viewerId;
    changeListed<ListedConversation>(conversation.id, (listed) => ({
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
  useEffect(
    () => conversationSeen.on((id, seq) => setSeen((before) => ({ ...before, [id]: seq }))),
    [],
  );

  const shown = list.items.map((conversation) =>
    (seen[conversation.id] ?? -1) >= (conversation.last?.seq ?? 0)
      ? { ...conversation, unread: 0 }
      : conversation,
  );
  return {
    ...list,
    items: shown.toSorted((a, b) => order(b).localeCompare(order(a))),
    isTyping: (conversation: ListedConversation) =>
      typing.isTyping(conversation.conversationId, conversation.other?.id),
  };
}

/** Ids begin with their time; conversations without a message stay at the end. */
function order({ last }: ListedConversation): string {
  return last?.id ?? "";
}

const conversationSeen = createListeners<[conversationId: string, seq: number]>();

/** The open conversation was seen up to a message: its row in the list is not new any more. */
export const announceConversationSeen = conversationSeen.emit;
