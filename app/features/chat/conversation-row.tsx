import type { ReactNode } from "react";
import * as words from "#messages/chat.json";
import { formOf, rich } from "#app/lib/text/messages.tsx";
import type { ListedConversation } from "#shared/chat.ts";
import { limits } from "#shared/limits.ts";
import { useStoredDraft } from "#app/features/chat/stored-draft.ts";
import { messagePreview } from "#app/features/chat/message-preview.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { periodOf } from "#app/lib/text/periods.ts";
import { clockTime, exactTime, formatDay } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { BellSlashIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  conversation: ListedConversation;
  viewerId: string;
  typing: boolean;
  /** its conversation is open beside the list */
  open: boolean;
};

/** A row of the list: the other party, the last message, its time, and the number of unread ones. */
export function ConversationRow({ conversation, viewerId, typing, open }: Props) {
  const { chatId, id, other, last, unread, muted } = conversation;
  const name = other?.name ?? words.deletedAccount;
  return (
    <li className="relative px-2">
      <Link
        to={`/chat/${chatId}`}
        aria-current={open ? "page" : undefined}
        className={`flex min-h-18 items-center gap-3 rounded-box px-2 py-2 -outline-offset-2 ${
          open ? "bg-base-200" : "hover:bg-base-200"
        }`}
      >
        <Avatar name={name} image={other?.avatar ?? null} size="lg" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span dir="auto" className={`truncate ${unread > 0 ? "font-semibold" : "font-medium"}`}>
              {name}
            </span>
            {muted && (
              <BellSlashIcon
                className="size-4 shrink-0 self-center text-muted"
                role="img"
                aria-label={words.muted}
              />
            )}
            {last && <RowTime at={last.createdAt} />}
          </span>
          <span className="flex items-center gap-2 text-sm">
            <span
              className={`flex min-w-0 flex-1 ${
                unread > 0 ? "font-medium text-base-content" : "text-muted"
              }`}
            >
              {typing ? (
                <span className="text-primary">{words.writing}</span>
              ) : (
                <LastMessage
                  conversation={conversation}
                  viewerId={viewerId}
                  threadId={id}
                  open={open}
                />
              )}
            </span>
            {unread > 0 && <UnreadBadge count={unread} muted={muted} />}
          </span>
        </span>
      </Link>
    </li>
  );
}

function RowTime({ at }: { at: number }) {
  const timeZone = useTimeZone();
  const now = Math.max(useRootData()?.now ?? at, at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={exactTime(at, timeZone)}
      className="ms-auto shrink-0 text-xs text-muted"
    >
      {periodOf(at, now, timeZone) === "today"
        ? clockTime(at, timeZone)
        : formatDay(at, now, timeZone)}
    </time>
  );
}

type LastMessageProps = {
  conversation: ListedConversation;
  viewerId: string;
  threadId: string;
  open: boolean;
};

function LastMessage({
  conversation: { last, other },
  viewerId,
  threadId,
  open,
}: LastMessageProps) {
  const draft = useStoredDraft(viewerId, threadId);
  // Where the conversation is open its draft is visible anyway.
  if (draft.trim() && !open) {
    return (
      <>
        <span className="shrink-0 whitespace-pre text-danger">{words.draft} </span>
        <Truncated>{draft.slice(0, 300)}</Truncated>
      </>
    );
  }
  if (!last) return <Truncated>@{other?.username}</Truncated>;
  return (
    <>
      {last.senderId === viewerId && (
        <span className="shrink-0 whitespace-pre">{words.youSaid} </span>
      )}
      <Truncated italic={last.deleted}>{messagePreview(last)}</Truncated>
    </>
  );
}

/** On one line; what does not fit is cut at the end of the text: at the left for right-to-left text. */
function Truncated({ italic = false, children }: { italic?: boolean; children: ReactNode }) {
  return (
    <span dir="auto" className={`truncate ${italic ? "italic" : ""}`}>
      {children}
    </span>
  );
}

function UnreadBadge({ count, muted }: { count: number; muted: boolean }) {
  const shown = count < limits.unreadMessages ? count : `${limits.unreadMessages - 1}+`;
  return (
    <span
      className={`min-w-5 shrink-0 rounded-full px-1.5 text-center text-xs/5 font-semibold ${
        muted ? "bg-base-300 text-base-content" : "bg-primary text-primary-content"
      }`}
    >
      {rich(formOf(words.unreadCount, count), {
        count: shown,
        new: (text) => <span className="sr-only">{text}</span>,
      })}
    </span>
  );
}
