import { you } from "#messages/common.json";
import * as words from "#messages/data.json";
import { dayAndTime } from "#messages/text.json";
import type { ImportedMessageView } from "#shared/archive.ts";
import { DeletedBody, MessageBody } from "#app/features/chat/message-body.tsx";
import { MessagePhoto } from "#app/features/chat/message-photo.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { clockTime, formatDate } from "#app/lib/text/times.ts";

type Props = {
  message: ImportedMessageView;
  /** the other party, as the archive names them */
  name: string;
};

/** One message of an imported conversation; those of the copy's owner are on the right. */
export function ImportedMessage({ message, name }: Props) {
  const timeZone = useTimeZone();
  const { sent, body, deleted, sentAt, hasPicture, picture } = message;
  const date = formatDate(sentAt, timeZone);
  return (
    <li className={`grid max-w-[85%] gap-1 ${sent ? "justify-self-end" : "justify-self-start"}`}>
      <p className={`text-xs text-muted ${sent ? "text-end" : ""}`}>
        {sent ? you : <bdi>{name}</bdi>} ·{" "}
        {fill(dayAndTime, { day: date, time: clockTime(sentAt, timeZone) })}
      </p>
      {picture && <MessagePhoto photo={picture} alt={fill(words.sentOn, { date })} mine={sent} />}
      {/* An archive has no avatar of the other party. */}
      {hasPicture && !picture && <p className="text-muted italic">{words.photoMissing}</p>}
      {deleted && <DeletedBody mine={sent} />}
      {/* An account here with that username may be somebody else. */}
      {body && <MessageBody body={body} mine={sent} mentions={[]} />}
    </li>
  );
}
