import { WarningCircleIcon } from "#app/ui/icons.ts";

/** What went wrong with the whole form, where no toast can say it. */
export function FormAlert({ text }: { text: string }) {
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-field border border-danger px-3 py-2.5 text-sm font-medium text-danger"
    >
      <WarningCircleIcon weight="fill" className="size-5 shrink-0" aria-hidden />
      {text}
    </p>
  );
}
