import { importedPictureUrl, type ImportedMessageView } from "#shared/archive.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { clockTime, dateInWords } from "#app/lib/text/times.ts";
import { Tint } from "#app/ui/picture.tsx";

type Props = {
  threadId: string;
  message: ImportedMessageView;
  /** the other one, as the archive says */
  name: string;
};

/** One message of an imported conversation; those of the copy's owner stand at the end. */
export function ImportedMessage({ threadId, message, name }: Props) {
  const timeZone = useTimeZone();
  const { sent, body, deleted, sentAt, hasPicture } = message;
  return (
    <li className={`grid max-w-[85%] gap-1 ${sent ? "justify-self-end" : "justify-self-start"}`}>
      <p className={`text-xs text-muted ${sent ? "text-end" : ""}`}>
        {sent ? "You" : <bdi>{name}</bdi>} · {dateInWords(sentAt, timeZone)},{" "}
        {clockTime(sentAt, timeZone)}
      </p>
      <div
        className={`grid gap-2 overflow-hidden rounded-box px-3 py-2 ${
          sent ? "justify-self-end bg-base-200" : "justify-self-start border border-line"
        }`}
      >
        {hasPicture ? <Photo threadId={threadId} message={message} /> : null}
        {deleted ? <p className="text-muted italic">Message deleted</p> : null}
        {body ? (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {body}
          </p>
        ) : null}
      </div>
    </li>
  );
}

/** There where its owner sent it; an archive has no pictures of the other one. */
function Photo({ threadId, message }: Omit<Props, "name">) {
  const { number, picture, sentAt } = message;
  const timeZone = useTimeZone();
  if (!picture) return <p className="text-muted italic">A photo that isn't in the archive</p>;
  const { width, height, widths, thumbhash } = picture;
  const address = (variant: number) => importedPictureUrl(threadId, number, variant);
  return (
    <a href={address(widths.at(-1) ?? width)} className="relative block overflow-hidden">
      <Tint thumbhash={thumbhash} />
      <img
        src={address(widths.find((variant) => variant >= 640) ?? widths.at(-1) ?? width)}
        srcSet={widths.map((variant) => `${address(variant)} ${variant}w`).join(", ")}
        sizes="(min-width: 48rem) 24rem, 75vw"
        width={width}
        height={height}
        alt={`Sent on ${dateInWords(sentAt, timeZone)}`}
        loading="lazy"
        className="relative h-auto max-h-96 w-auto"
      />
    </a>
  );
}
