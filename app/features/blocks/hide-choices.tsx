import type { ReportSubject } from "#shared/report-kinds.ts";
import * as words from "#messages/people.json";
import { reportThis } from "#app/features/reports/report-words.ts";
import { ChoiceCards } from "#app/ui/choices.tsx";

/** What can be done about somebody the viewer would rather not see. */
export type HideAction = "mute" | "unmute" | "remove" | "block" | "unblock" | "report";

/** How long a mute lasts, in seconds; empty: until it is lifted. */
const lengths = [
  ["", words.untilUnmuted],
  ["86400", words.forADay],
  ["604800", words.forAWeek],
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

const mute = ["mute", words.mute, words.muteHint] as const;
const unmute = ["unmute", words.unmuteChoice, words.unmuteHint] as const;
const remove = ["remove", words.removeFollower, words.removeHint] as const;
const block = ["block", words.block, words.blockHint] as const;

/** The choices and what each does, the same in the dialog and on the page without scripts. */
export function HideChoices({ muted, follower, action, thing, onChange, ...length }: Props) {
  const report = ["report", reportThis[thing], words.reportHint] as const;
  return (
    <>
      <ChoiceCards<HideAction>
        name="intent"
        legend={words.whatToDo}
        hideLegend
        choices={[muted ? unmute : mute, ...(follower ? [remove] : []), block, report]}
        chosen={action}
        {...(onChange && { onChange })}
      />
      {!muted && <MuteLength {...length} off={onChange !== undefined && action !== "mute"} />}
    </>
  );
}

type LengthProps = Pick<Props, "seconds" | "onSeconds"> & { off: boolean };

/** Stays where it is when something else is chosen (`off`), so that nothing moves. */
function MuteLength({ seconds, onSeconds, off }: LengthProps) {
  return (
    <label className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-medium">
      {words.muteLasts}
      <select
        name="seconds"
        disabled={off}
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
