import type { ComponentProps } from "react";

type SwitchRowProps = Omit<ComponentProps<"input">, "id" | "type"> & {
  name: string;
  label: string;
  hint: string;
};

/** A switch at the end of a row; the whole row is its label. */
export function SwitchRow({ label, hint, ...input }: SwitchRowProps) {
  const id = input.name;
  return (
    <div className="relative flex min-h-16 items-center justify-between gap-6 px-4 py-3">
      <div>
        <label htmlFor={id} className="font-medium before:absolute before:inset-0">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
          {hint}
        </p>
      </div>
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        className="toggle relative shrink-0"
      />
    </div>
  );
}
