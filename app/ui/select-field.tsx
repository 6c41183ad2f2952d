import { useId } from "react";
import { describedBy, Field } from "#app/ui/field.tsx";

type Props = {
  name: string;
  label: string;
  hint?: string;
  choices: readonly (readonly [value: string, label: string])[];
  defaultValue: string;
  error?: string | undefined;
};

/** One of several options, in a list that opens. */
export function SelectField({ name, label, hint, choices, defaultValue, error }: Props) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        className="input w-full appearance-auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
