import type { ReportSubject } from "#shared/report-kinds.ts";
import { ChoiceCards } from "#app/ui/choices.tsx";

/** What can be done about somebody the viewer would rather not see. */
export type HideAction = "mute" | "unmute" | "remove" | "block" | "unblock" | "report";

type Props = {
  muted: boolean;
  /** they follow the viewer */
  follower: boolean;
  action: HideAction;
  onChange?: (action: HideAction) => void;
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
export function HideChoices({ muted, follower, action, thing, ...rest }: Props) {
  const report = [
    "report",
    `Report this ${thing}`,
    "Moderators will look at it. No one else will know it was you.",
  ] as const;
  return (
    <ChoiceCards<HideAction>
      name="intent"
      legend="What to do"
      hideLegend
      choices={[muted ? unmute : mute, ...(follower ? [remove] : []), block, report]}
      chosen={action}
      {...rest}
    />
  );
}
