import * as words from "#messages/moderation.json";
import { counted } from "#app/lib/text/messages.tsx";
import { Choices } from "#app/ui/choices.tsx";

const lengths = [
  ["1", counted(words.days, 1)],
  ["7", counted(words.days, 7)],
  ["30", counted(words.days, 30)],
  ["", words.noEndDate],
] as const;

type Props = {
  name: string;
  legend: string;
  defaultValue: string | undefined;
  error?: string | undefined;
};

export function SuspensionLength({ defaultValue = "7", ...rest }: Props) {
  return <Choices choices={lengths} defaultValue={defaultValue} {...rest} />;
}

/** As forms send it; null has no end date. */
export const daysOf = (typed = "") => (typed === "" ? null : Number(typed));
