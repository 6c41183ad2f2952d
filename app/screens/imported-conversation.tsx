import * as words from "#messages/data.json";
import { memberPage } from "#app/lib/refusals.server.ts";
import { rich, fill } from "#app/lib/text/messages.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/imported-conversation";
import { you } from "#messages/common.json";
import { dayAndTime } from "#messages/text.json";
import type { ImportedMessageView } from "#shared/archive.ts";
import { DeletedBody, MessageBody } from "#app/features/chat/message-body.tsx";
import { MessagePhoto } from "#app/features/chat/message-photo.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { clockTime, formatDate } from "#app/lib/text/times.ts";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const cursor = url.searchParams.get("cursor");
  return features.importedConversations.conversation(member, params.id, cursor);
}

/** One conversation from an imported archive, oldest message first. */
export default function ImportedConversation({ loaderData }: Route.ComponentProps) {
  const { id, other, messages } = loaderData;
  const name = other?.name ?? words.unknownPerson;
  return (
    <>
      <BackLink to="/settings/data/messages">{words.importedMessages}</BackLink>
      <ScreenTitle title={words.importedMessages}>
        <bdi className="wrap-anywhere">{name}</bdi>
      </ScreenTitle>
      <div className="grid gap-4 px-4 pb-8 md:px-0">
        <p className="text-sm text-pretty text-muted">
          {other ? rich(words.usernameThere, { username: <bdi>@{other.username}</bdi> }) : null}{" "}
          {words.copyAbout}
        </p>
        <ol className="grid gap-3" aria-label={words.messages}>
          {messages.items.map((message) => (
            <ImportedMessage key={message.number} message={message} name={name} />
          ))}
        </ol>
        <div className="flex flex-wrap justify-between gap-3">
          <OlderLink cursor={messages.nextCursor}>{words.laterMessages}</OlderLink>
          <ButtonLink to={`/settings/data/messages/${id}/delete`} look="danger" className="-ms-4">
            {words.deleteCopy}
          </ButtonLink>
        </div>
      </div>
    </>
  );
}

type MessageProps = {
  message: ImportedMessageView;
  /** the other party, as the archive names them */
  name: string;
};

/** One message of an imported conversation; those of the copy's owner are on the right. */
function ImportedMessage({ message, name }: MessageProps) {
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
