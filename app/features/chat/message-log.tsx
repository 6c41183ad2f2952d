import { Fragment, useRef, useState } from "react";
import type { MessageView } from "#shared/views.ts";
import { Beginning, NewFromHere, Newer, Older, TypingSign } from "#app/features/chat/log-lines.tsx";
import { placesOf } from "#app/features/chat/message-groups.ts";
import { MessageRow } from "#app/features/chat/message-row.tsx";
import { OutgoingRow } from "#app/features/chat/outgoing-row.tsx";
import { inOneLine } from "#app/features/chat/preview.ts";
import type { OpenedThread } from "#app/features/chat/read-thread.server.ts";
import { useReading } from "#app/features/chat/use-reading.ts";
import type { useThread } from "#app/features/chat/use-thread.ts";
import { useTyping } from "#app/features/chat/use-typing.ts";
import { useLive } from "#app/lib/live/live.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { dayInWords } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { ArrowDownIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

type Props = {
  thread: ReturnType<typeof useThread>;
  opened: OpenedThread;
  viewerId: string;
  /** how many sends there were: each leads to the end */
  sent: number;
};

/** What was said, oldest first; it opens at its end, or where it begins to be new. */
export function MessageLog({ thread, opened, viewerId, sent }: Props) {
  const { chatId, other } = opened;
  const { conversationId, window, outgoing, reading } = thread;
  const name = nameOf(opened);
  const typing = useTyping();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useReading({ scroller, thread, opened, viewerId, sent });
  const [said, setSaid] = useState("");

  useLive("message", (message) => {
    if (message.conversationId !== conversationId) return;
    typing.stopped(message.conversationId);
    const last = window.messages.at(-1)?.seq ?? 0;
    if (message.senderId === viewerId || message.seq <= last) return;
    setSaid(`${name}: ${inOneLine(message)}`);
  });

  const { messages } = window;
  const empty = messages.length + outgoing.length === 0;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={view.onScroll}
        role="log"
        // New messages are said below: what is read in above would be said, too.
        aria-live="off"
        aria-label={`Messages with ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // From the end: it opens there without scripts, and what is added above moves nothing.
        className="@container flex h-full flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="pt-2 pb-4">
          {window.older ? (
            <Older thread={thread} chatId={chatId} />
          ) : (
            <Beginning opened={opened} empty={empty} />
          )}
          <ol>
            <Messages
              thread={thread}
              opened={opened}
              viewerId={viewerId}
              firstNew={view.firstNew}
              // The button that had the focus goes with its message.
              onDeleted={() => scroller.current?.focus({ preventScroll: true })}
            />
            {!window.newer &&
              outgoing.map((message) => <OutgoingRow key={message.clientKey} message={message} />)}
          </ol>
          {window.newer && <Newer thread={thread} chatId={chatId} />}
          {typing.isTyping(conversationId, other?.id) && !window.newer && (
            <TypingSign name={name} />
          )}
        </div>
      </div>
      {(view.away || window.newer) && (
        <ToEnd below={view.below} loading={reading.newer === "loading"} onPress={view.toEnd} />
      )}
      <output className="sr-only">{said}</output>
    </div>
  );
}

const nameOf = ({ other }: OpenedThread) => other?.name ?? "Deleted account";

type MessagesProps = Pick<Props, "thread" | "opened" | "viewerId"> & {
  firstNew: number | null;
  onDeleted: () => void;
};

/** Each with its day above it, where that begins. */
function Messages({ thread, opened, viewerId, firstNew, onDeleted }: MessagesProps) {
  const { outgoing, otherReadSeq } = thread;
  const { messages } = thread.window;
  const timeZone = useTimeZone();
  const fresh = messages.findIndex(({ seq }) => seq === firstNew);
  const places = placesOf(messages, timeZone, fresh);
  const lastOwn = messages.findLast(({ senderId, deleted }) => senderId === viewerId && !deleted);
  const now = Math.max(useRootData()?.now ?? 0, messages.at(-1)?.createdAt ?? 0);

  function mark(message: MessageView): string | null {
    if (message !== lastOwn || outgoing.length > 0) return null;
    return message.seq <= otherReadSeq ? "Seen" : "Sent";
  }

  return messages.map((message, at) => {
    const place = places[at] ?? { startsDay: false, startsGroup: true, endsGroup: true };
    const mine = message.senderId === viewerId;
    return (
      <Fragment key={message.clientKey ?? message.id}>
        {place.startsDay && (
          <li className="px-4 pt-5 pb-1 text-center text-xs font-medium text-muted">
            {dayInWords(message.createdAt, now, timeZone)}
          </li>
        )}
        {at === fresh && <NewFromHere />}
        <MessageRow
          message={message}
          place={place}
          mine={mine}
          by={mine ? "You" : nameOf(opened)}
          chatId={opened.chatId}
          mark={mark(message)}
          onDeleted={(deleted) => {
            thread.take(deleted);
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
    aria-label={below > 0 ? `${below} new below` : "Jump to the newest message"}
    title="Jump to the newest message"
    className="btn absolute end-4 bottom-3 rounded-full border-line bg-base-100 shadow-lg motion-appear noscript:hidden"
  >
    {loading ? <Spinner /> : <ArrowDownIcon className="size-5" aria-hidden />}
    {below > 0 && `${below} new`}
  </button>
);
