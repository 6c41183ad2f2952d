import { Choices } from "#app/ui/choices.tsx";

const lengths = [
  ["1", "1 day"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["", "No end date"],
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
