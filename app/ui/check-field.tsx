import type { ChangeEvent, ReactNode } from "react";

type Props = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
};

/** A box to tick, with its label as its target. */
export function CheckField({ label, hint, ...input }: Props) {
  return (
    <label className={`flex min-h-11 gap-3 py-1 ${hint ? "" : "items-center"}`}>
      <input
        type="checkbox"
        {...input}
        className={`size-5 shrink-0 accent-primary ${hint ? "mt-0.5" : ""}`}
      />
      <span>
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}
