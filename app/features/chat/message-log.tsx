import { Fragment, useRef, useState } from "react";
import * as words from "#messages/chat.json";
import { counted, fill } from "#app/lib/text/messages.tsx";
import type { MessageView } from "#shared/views.ts";
import {
  ConversationStart,
  UnreadDivider,
  NewerMessages,
  OlderMessages,
  TypingIndicator,
} from "#app/features/chat/message-log-parts.tsx";
import { messagePositions } from "#app/features/chat/message-groups.ts";
import { MessageRow } from "#app/features/chat/message-row.tsx";
import { OutgoingRow } from "#app/features/chat/outgoing-row.tsx";
import { messagePreview } from "#app/features/chat/message-preview.ts";
import type { OpenedConversation } from "#app/features/chat/read-conversation.server.ts";
import { useReadPosition } from "#app/features/chat/use-read-position.ts";
import type { useConversation } from "#app/features/chat/use-conversation.ts";
import { useTyping } from "#app/features/chat/use-typing.ts";
import { useLive } from "#app/lib/live/live.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDay } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { ArrowDownIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

type Props = {
  conversation: ReturnType<typeof useConversation>;
  opened: OpenedConversation;
  viewerId: string;
  /** number of messages sent so far: each scrolls to the end */
  sent: number;
};

/** The messages, oldest first; opens at the end, or at the first unread one. */
export function MessageLog({ conversation, opened, viewerId, sent }: Props) {
  const { chatId, other } = opened;
  const { conversationId, window, outgoing, reading } = conversation;
  const name = nameOf(opened);
  const typing = useTyping();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useReadPosition({ scroller, conversation, opened, viewerId, sent });
  const [announcement, setAnnouncement] = useState("");

  useLive("message", (message) => {
    if (message.conversationId !== conversationId) return;
    typing.stopped(message.conversationId);
    const last = window.messages.at(-1)?.seq ?? 0;
    if (message.senderId === viewerId || message.seq <= last) return;
    setAnnouncement(fill(words.said, { name, text: messagePreview(message) }));
  });

  const { messages } = window;
  const empty = messages.length + outgoing.length === 0;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={view.onScroll}
        role="log"
        // New messages are announced below: here, older ones that load above would be announced, too.
        aria-live="off"
        aria-label={fill(words.messagesWith, { name })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // Counted from the end: it opens there without scripts, and what is added above moves nothing.
        className="@container flex h-full flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="pt-2 pb-4">
          {window.older ? (
            <OlderMessages conversation={conversation} chatId={chatId} />
          ) : (
            <ConversationStart opened={opened} empty={empty} />
          )}
          <ol>
            <Messages
              conversation={conversation}
              opened={opened}
              viewerId={viewerId}
              firstNew={view.firstNew}
              // The button that had the focus disappears with its message.
              onDeleted={() => scroller.current?.focus({ preventScroll: true })}
            />
            {!window.newer &&
              outgoing.map((message) => <OutgoingRow key={message.clientKey} message={message} />)}
          </ol>
          {window.newer && <NewerMessages conversation={conversation} chatId={chatId} />}
          {typing.isTyping(conversationId, other?.id) && !window.newer && (
            <TypingIndicator name={name} />
          )}
        </div>
      </div>
      {(view.away || window.newer) && (
        <ToEnd below={view.below} loading={reading.newer === "loading"} onPress={view.toEnd} />
      )}
      <output className="sr-only">{announcement}</output>
    </div>
  );
}

const nameOf = ({ other }: OpenedConversation) => other?.name ?? words.deletedAccount;

type MessagesProps = Pick<Props, "conversation" | "opened" | "viewerId"> & {
  firstNew: number | null;
  onDeleted: () => void;
};

/** Each message, with its day above it where that begins. */
function Messages({ conversation, opened, viewerId, firstNew, onDeleted }: MessagesProps) {
  const { outgoing, otherReadSeq } = conversation;
  const { messages } = conversation.window;
  const timeZone = useTimeZone();
  const fresh = messages.findIndex(({ seq }) => seq === firstNew);
  const positions = messagePositions(messages, timeZone, fresh);
  const lastOwn = messages.findLast(({ senderId, deleted }) => senderId === viewerId && !deleted);
  const now = Math.max(useRootData()?.now ?? 0, messages.at(-1)?.createdAt ?? 0);

  function mark(message: MessageView): string | null {
    if (message !== lastOwn || outgoing.length > 0) return null;
    return message.seq <= otherReadSeq ? words.seen : words.sent;
  }

  return messages.map((message, at) => {
    const position = positions[at] ?? { startsDay: false, startsGroup: true, endsGroup: true };
    const mine = message.senderId === viewerId;
    return (
      <Fragment key={message.clientKey ?? message.id}>
        {position.startsDay && (
          <li className="px-4 pt-5 pb-1 text-center text-xs font-medium text-muted">
            {formatDay(message.createdAt, now, timeZone)}
          </li>
        )}
        {at === fresh && <UnreadDivider />}
        <MessageRow
          message={message}
          position={position}
          mine={mine}
          by={nameOf(opened)}
          chatId={opened.chatId}
          mark={mark(message)}
          onDeleted={(deleted) => {
            conversation.take(deleted);
            onDeleted();
          }}
        />
      </Fragment>
    );
  });
}

type ToEndProps = { below: number; loading: boolean; onPress: () => void };

const ToEnd = ({ below, loading, onPress }: ToEndProps) => (
  <button
    type="button"
    onClick={onPress}
    aria-label={below > 0 ? counted(words.newBelow, below) : words.toNewest}
    title={words.toNewest}
    className="btn absolute end-4 bottom-3 rounded-full border-line bg-base-100 shadow-lg motion-appear noscript:hidden"
  >
    {loading ? <Spinner /> : <ArrowDownIcon className="size-5" aria-hidden />}
    {below > 0 && counted(words.newCount, below)}
  </button>
);
