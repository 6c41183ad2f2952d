import { useState } from "react";
import * as words from "#messages/chat.json";
import * as common from "#messages/common.json";
import { fill } from "#app/lib/text/messages.tsx";
import { messagePhoto } from "#shared/chat.ts";
import type { MessageView } from "#shared/views.ts";
import { DeletedBody, MessageBody } from "#app/features/chat/message-body.tsx";
import type { MessagePosition } from "#app/features/chat/message-groups.ts";
import { MessagePhoto } from "#app/features/chat/message-photo.tsx";
import { messagePreview } from "#app/features/chat/message-preview.ts";
import { reportQuery } from "#app/features/reports/report-path.ts";
import { instead } from "#app/lib/instead.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { sendJson, errorMessage } from "#app/lib/api-client.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { clockTime, exactTime } from "#app/lib/text/times.ts";
import { notify } from "#app/lib/toasts.ts";
import { confirmDeletion } from "#app/ui/ask.ts";
import { FlagIcon, TrashIcon } from "#app/ui/icons.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

const ReportDialog = lazyComponent(
  async () => (await import("#app/features/reports/report-dialog.tsx")).ReportDialog,
  notifyAndClose,
);

/** Shown while a message is hovered or has the focus in it. */
const besideMessage =
  "shrink-0 opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 noscript:opacity-100";

type Props = {
  message: MessageView;
  position: MessagePosition;
  mine: boolean;
  /** the other's name, for screen readers */
  by: string;
  chatId: string;
  /** below it: whether it was seen */
  mark?: string | null;
  onDeleted: (message: MessageView) => void;
};

/** One message, on its writer's side. */
export function MessageRow({ message, position, mine, by, chatId, mark, onDeleted }: Props) {
  const { seq, body, deleted, createdAt } = message;
  const timeZone = useTimeZone();
  const exact = exactTime(createdAt, timeZone);
  const photo = messagePhoto(message);
  return (
    <li
      data-seq={seq}
      id={`message-${seq}`}
      className={`group/message flex flex-col px-4 ${position.startsGroup ? "pt-3" : "pt-0.5"} ${
        mine ? "items-end" : "items-start"
      }`}
    >
      <div className={`flex max-w-full items-center gap-1 ${mine ? "flex-row-reverse" : ""}`}>
        {/* A tap focuses it, and its actions appear. */}
        <div
          title={exact}
          tabIndex={-1}
          className="flex max-w-[min(32rem,75cqi)] min-w-0 flex-col gap-1"
        >
          <span className="sr-only">
            {mine ? words.youSaid : fill(words.saidBy, { name: by })}{" "}
          </span>
          {deleted ? (
            <DeletedBody mine={mine} />
          ) : (
            <>
              {photo && (
                <MessagePhoto
                  photo={photo}
                  alt={mine ? words.photoFromYou : fill(words.photoFrom, { name: by })}
                  mine={mine}
                />
              )}
              {body && <MessageBody body={body} mine={mine} />}
            </>
          )}
        </div>
        {mine && !deleted && (
          <DeleteMessage message={message} chatId={chatId} onDeleted={onDeleted} />
        )}
        {!mine && !deleted && <ReportMessage message={message} chatId={chatId} />}
      </div>
      {(position.endsGroup || mark) && (
        <p className="px-1 pt-0.5 text-xs text-muted">
          <time dateTime={new Date(createdAt).toISOString()} title={exact}>
            {clockTime(createdAt, timeZone)}
          </time>
          {mark && ` · ${mark}`}
        </p>
      )}
    </li>
  );
}

/** Reports a message of the other party. Without scripts it leads to a page. */
function ReportMessage({ message, chatId }: Pick<Props, "message" | "chatId">) {
  const [open, setOpen] = useState(false);
  const { conversationId, seq } = message;
  const reported = { kind: "message", conversationId, seq } as const;
  return (
    <div className={besideMessage}>
      <LinkButton
        href={`/report${reportQuery(reported, `/chat/${chatId}`)}`}
        onPress={() => setOpen(true)}
        aria-label={fill(words.reportText, { text: firstGraphemes(messagePreview(message), 40) })}
        title={common.report}
        className="grid size-11 place-items-center rounded-full text-muted hover:bg-base-200 hover:text-base-content"
      >
        <FlagIcon className="size-5" aria-hidden />
      </LinkButton>
      {open && <ReportDialog reported={reported} onClose={() => setOpen(false)} />}
    </div>
  );
}

type DeleteProps = Pick<Props, "message" | "chatId" | "onDeleted">;

/** Deletes one's own message. Without scripts the form leads to a page that asks first. */
function DeleteMessage({ message, chatId, onDeleted }: DeleteProps) {
  const [pending, setPending] = useState(false);
  const { conversationId, seq } = message;

  async function submit() {
    if (pending) return;
    const text = firstGraphemes(messagePreview(message), 140);
    if (!(await confirmDeletion(words.deleteQuestion, text))) return;
    setPending(true);
    try {
      await sendJson("DELETE", `/api/chats/${conversationId}/messages/${seq}`);
      onDeleted({ ...message, body: "", picture: null, deleted: true });
    } catch (error) {
      notify.error(fill(words.deleteFailed, { problem: errorMessage(error) }));
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      action={`/chat/${chatId}/messages/${seq}/delete`}
      onSubmit={instead(submit)}
      className={besideMessage}
    >
      <button
        type="submit"
        aria-label={fill(words.deleteText, { text: firstGraphemes(messagePreview(message), 40) })}
        title={common.delete}
        aria-busy={pending || undefined}
        className="grid size-11 place-items-center rounded-full text-muted hover:bg-base-200 hover:text-base-content"
      >
        <TrashIcon className="size-5" aria-hidden />
      </button>
    </form>
  );
}
