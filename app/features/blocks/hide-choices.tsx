import type { ReportSubject } from "#shared/report-kinds.ts";
import { subjectNames } from "#shared/reports.ts";

/** What can be done about somebody one would rather not see. */
export type HideAction = "mute" | "unmute" | "block" | "unblock" | "report";

type Props = {
  muted: boolean;
  action: HideAction;
  onChange?: (action: HideAction) => void;
  /** what a report would be of */
  thing: ReportSubject;
};

/** The choices and what each does, the same in the dialog and on the page without scripts. */
export function HideChoices({ muted, action, onChange, thing }: Props) {
  const choices: { value: HideAction; label: string; hint: string }[] = [
    muted
      ? {
          value: "unmute",
          label: "Unmute",
          hint: "Their posts return to your feed, and you get notifications about them again.",
        }
      : {
          value: "mute",
          label: "Mute",
          hint: "You won't see their posts in your feed or get notifications about them. They won't be notified.",
        },
    {
      value: "block",
      label: "Block",
      hint: "You stop following each other, and neither of you can see or message the other. They won't be notified. Public posts stay visible to anyone who is signed out, including them.",
    },
    {
      value: "report",
      label: `Report this ${subjectNames[thing]}`,
      hint: "Moderators look at it. Nobody else learns that it was you.",
    },
  ];
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">What to do</legend>
      {choices.map(({ value, label, hint }) => (
        <div
          key={value}
          className="relative flex gap-3 rounded-box border border-line p-3 text-start has-checked:border-primary"
        >
          <input
            type="radio"
            id={`hide-${value}`}
            name="intent"
            value={value}
            aria-describedby={`hide-${value}-hint`}
            className="relative z-1 mt-0.5 size-5 shrink-0 accent-primary"
            {...(onChange
              ? { checked: action === value, onChange: () => onChange(value) }
              : { defaultChecked: action === value })}
          />
          <div>
            <label htmlFor={`hide-${value}`} className="font-medium before:absolute before:inset-0">
              {label}
            </label>
            <p id={`hide-${value}-hint`} className="text-sm text-muted">
              {hint}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
