import type { ReportSubject } from "#shared/report-kinds.ts";
import { ChoiceCards } from "#app/ui/choices.tsx";

/** What can be done about somebody the viewer would rather not see. */
export type HideAction = "mute" | "unmute" | "remove" | "block" | "unblock" | "report";

/** How long a mute lasts, in seconds; empty: until it is lifted. */
const lengths = [
  ["", "Until I unmute them"],
  ["86400", "For a day"],
  ["604800", "For a week"],
] as const;

type Props = {
  muted: boolean;
  /** they follow the viewer */
  follower: boolean;
  action: HideAction;
  onChange?: (action: HideAction) => void;
  seconds?: string;
  onSeconds?: (seconds: string) => void;
  /** what a report would be about */
  thing: ReportSubject;
};

const mute = [
  "mute",
  "Mute",
  "You won't see their posts in your feed or get notifications about them. They won't be notified.",
] as const;
const unmute = [
  "unmute",
  "Unmute",
  "Their posts return to your feed, and you get notifications about them again.",
] as const;
const remove = [
  "remove",
  "Remove follower",
  "They stop following you and no longer see what's only for your followers. They won't be notified.",
] as const;
const block = [
  "block",
  "Block",
  "You stop following each other, and neither of you can see or message the other. They won't be notified. Public posts stay visible to anyone who is signed out, including them.",
] as const;

/** The choices and what each does, the same in the dialog and on the page without scripts. */
export function HideChoices({ muted, follower, action, thing, onChange, ...length }: Props) {
  const report = [
    "report",
    `Report this ${thing}`,
    "Moderators will look at it. No one else will know it was you.",
  ] as const;
  return (
    <>
      <ChoiceCards<HideAction>
        name="intent"
        legend="What to do"
        hideLegend
        choices={[muted ? unmute : mute, ...(follower ? [remove] : []), block, report]}
        chosen={action}
        {...(onChange && { onChange })}
      />
      {!muted && <MuteLength {...length} />}
    </>
  );
}

/** Stays where it is when something else is chosen, so that nothing moves. */
function MuteLength({ seconds, onSeconds }: Pick<Props, "seconds" | "onSeconds">) {
  return (
    <label className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-medium">
      A mute lasts
      <select
        name="seconds"
        className="input w-auto grow appearance-auto"
        {...(onSeconds && {
          value: seconds,
          onChange: ({ currentTarget }) => onSeconds(currentTarget.value),
        })}
      >
        {lengths.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
