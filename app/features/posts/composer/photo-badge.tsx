import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { PauseIcon, WarningCircleIcon } from "#app/ui/icons.ts";

/** On a thumbnail: the photo's progress, or that something is wrong with it. */
export function PhotoBadge({ photo }: { photo: ChosenPhoto }) {
  const { state, fraction } = photo;
  if (state === "sent") return null;
  if (state === "failed") {
    return (
      <span className="composer-failed absolute inset-0 grid place-items-center rounded-field text-danger">
        <WarningCircleIcon weight="fill" className="size-7" aria-hidden />
      </span>
    );
  }
  return (
    <span className="composer-badge absolute inset-0 grid place-items-center rounded-field">
      {state === "paused" ? <PauseIcon weight="fill" className="size-6" aria-hidden /> : null}
      <progress
        aria-hidden
        className="progress absolute w-auto"
        value={Math.round(fraction * 100)}
        max={100}
      />
    </span>
  );
}

const waitingFor = {
  line: words.waitingForLine,
  server: words.waitingForServer,
  busy: words.waitingForTime,
};

/** The reason a photo waits; undefined while it does not. */
export const waitText = ({ waits }: Pick<ChosenPhoto, "waits">): string | undefined =>
  waits ? waitingFor[waits.for] : undefined;

export const badgeText = (photo: ChosenPhoto): string => {
  const { state, fraction } = photo;
  return {
    queued: words.nextInLine,
    sending:
      fraction < 1
        ? fill(words.percentSent, { percent: Math.round(fraction * 100) })
        : words.beingPrepared,
    waiting: waitText(photo) ?? "",
    paused: words.paused,
    failed: words.notThrough,
    sent: "",
  }[state];
};
