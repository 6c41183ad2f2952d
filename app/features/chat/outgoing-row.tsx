import { MessageBody } from "#app/features/chat/message-body.tsx";
import { PicturePreview } from "#app/features/chat/message-picture.tsx";
import type { Outgoing } from "#app/features/chat/outbox.ts";
import { outbox } from "#app/features/chat/use-outgoing.ts";
import { useTimeZone } from "#app/lib/time-zone.ts";
import { clockTime } from "#app/lib/times.ts";
import { WarningCircleIcon } from "#app/ui/icons.ts";

/** A message on its way, or one that did not get through. */
export function OutgoingRow({ message }: { message: Outgoing }) {
  const { body, picture, state, fraction, problem, at, clientKey, threadId } = message;
  const timeZone = useTimeZone();
  const failed = state === "failed";
  return (
    <li className="flex flex-col items-end px-4 pt-0.5">
      <div className={`flex max-w-[min(32rem,75cqi)] flex-col gap-1 ${failed ? "" : "opacity-70"}`}>
        <span className="sr-only">You: </span>
        {picture && (
          <PicturePreview file={picture}>
            {state === "sending" && fraction < 1 && (
              <span className="absolute inset-x-0 bottom-0 bg-base-100/90 px-2 py-1 text-xs tabular-nums">
                <progress
                  className="progress progress-primary block"
                  value={fraction}
                  aria-label="Sending your photo"
                />
                {Math.floor(fraction * 100)} %
              </span>
            )}
          </PicturePreview>
        )}
        {body && <MessageBody body={body} mine />}
      </div>
      {failed ? (
        <div className="flex max-w-full flex-wrap items-center justify-end gap-x-1 text-sm">
          <WarningCircleIcon weight="fill" className="size-5 shrink-0 text-danger" aria-hidden />
          <span className="text-danger">{problem ? `Not sent. ${problem}` : "Not sent."}</span>
          <button
            type="button"
            onClick={() => outbox.retry(threadId)}
            className="btn btn-ghost px-2"
          >
            Retry
          </button>
          <button
            type="button"
            onClick={() => outbox.drop(clientKey)}
            className="btn btn-ghost px-2"
          >
            Discard
          </button>
        </div>
      ) : (
        <p className="px-1 pt-0.5 text-xs text-muted">
          {clockTime(at, timeZone)} · {state === "sending" ? "Sending" : "Waiting to be sent"}
        </p>
      )}
    </li>
  );
}
