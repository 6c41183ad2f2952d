import * as words from "#messages/chat.json";
import { fill } from "#app/lib/text/messages.tsx";
import { MessageBody } from "#app/features/chat/message-body.tsx";
import { OutgoingPhoto } from "#app/features/chat/message-photo.tsx";
import type { Outgoing } from "#app/features/chat/outbox.ts";
import { outbox } from "#app/features/chat/use-outgoing.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { clockTime } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import { WarningCircleIcon } from "#app/ui/icons.ts";

/** A message that is being sent, or that could not be sent. */
export function OutgoingRow({ message }: { message: Outgoing }) {
  const { body, picture, state, fraction, problem, at, clientKey } = message;
  const timeZone = useTimeZone();
  const failed = state === "failed";
  return (
    <li className="flex flex-col items-end px-4 pt-2">
      <div className={`flex max-w-[min(32rem,75cqi)] flex-col gap-1 ${failed ? "" : "opacity-85"}`}>
        <span className="sr-only">{words.youSaid} </span>
        {picture && (
          <OutgoingPhoto file={picture}>
            {state === "sending" && fraction < 1 && (
              <span className="absolute inset-x-0 bottom-0 bg-base-100/90 px-2 py-1 text-xs">
                <progress
                  className="progress block"
                  value={fraction}
                  aria-label={words.sendingPhoto}
                />
                {Math.floor(fraction * 100)} %
              </span>
            )}
          </OutgoingPhoto>
        )}
        {body && <MessageBody body={body} mine />}
      </div>
      {failed ? (
        <div className="flex max-w-full flex-col items-end text-sm">
          <p className="pt-1 text-end text-danger">
            <WarningCircleIcon weight="fill" className="me-1 inline size-5" aria-hidden />
            {problem ? fill(words.notSentBecause, { problem }) : words.notSent}
          </p>
          <p className="-me-3 flex">
            <Button look="quiet" onClick={() => outbox.retry(clientKey)}>
              {words.retry}
            </Button>
            <Button look="quiet" onClick={() => outbox.drop(clientKey)}>
              {words.discard}
            </Button>
          </p>
        </div>
      ) : (
        <p className="px-1 pt-0.5 text-xs text-muted">
          {clockTime(at, timeZone)} · {state === "sending" ? words.sending : words.waiting}
        </p>
      )}
    </li>
  );
}
