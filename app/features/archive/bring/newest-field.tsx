import { showNewest, showNewestHint } from "#messages/bring.json";
import { limits } from "#shared/limits.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { CheckField } from "#app/ui/check-field.tsx";

type Props = { checked?: boolean; onChosen?: (chosen: boolean) => void };

/** Whether the newest posts of an import are shown in feeds; in a plain form without `checked`. */
export function NewestField({ checked, onChosen }: Props) {
  return (
    <CheckField
      name="showNewest"
      label={counted(showNewest, limits.archive.newestShown)}
      hint={showNewestHint}
      checked={checked}
      onChange={onChosen && (({ currentTarget }) => onChosen(currentTarget.checked))}
    />
  );
}
