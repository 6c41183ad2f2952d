import { FieldError } from "#app/ui/field.tsx";

/** A value, its label, and a sentence on it. */
export type Choice<Value extends string = string> = readonly [Value, string, string?];

type Shared<Value extends string> = {
  name: string;
  legend: string;
  choices: readonly Choice<Value>[];
  required?: boolean;
  error?: string | undefined;
};

type Props<Value extends string> = Shared<Value> & { defaultValue: string | undefined };

/** One of a few options, a line each. */
export function Choices<Value extends string>(props: Props<Value>) {
  const { name, legend, choices, defaultValue, required, error } = props;
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      {choices.map(([value, label, hint]) => (
        <label key={value} className={`flex min-h-11 gap-3 py-1 ${hint ? "" : "items-center"}`}>
          <input
            type="radio"
            name={name}
            value={value}
            required={required}
            defaultChecked={value === defaultValue}
            className={`size-5 shrink-0 accent-primary ${hint ? "mt-0.5" : ""}`}
          />
          <span className="min-w-0 wrap-break-word">
            {label}
            {hint && <span className="block text-sm text-muted">{hint}</span>}
          </span>
        </label>
      ))}
      <FieldError id={name} error={error} />
    </fieldset>
  );
}

type CardProps<Value extends string> = Shared<Value> & {
  chosen: string;
  hideLegend?: boolean;
  onChange?: (value: Value) => void;
};

/** One of a few options that need a sentence each. */
export function ChoiceCards<Value extends string>(props: CardProps<Value>) {
  const { name, legend, hideLegend, choices, chosen, onChange, required, error } = props;
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={hideLegend ? "sr-only" : "mb-2 font-semibold"}>{legend}</legend>
      {choices.map(([value, label, hint]) => (
        <div
          key={value}
          className="relative flex gap-3 rounded-box border border-line bg-base-100 p-3 text-start has-checked:border-primary"
        >
          <input
            type="radio"
            id={`${name}-${value}`}
            name={name}
            value={value}
            required={required}
            aria-describedby={`${name}-${value}-hint`}
            className="relative z-1 mt-0.5 size-5 shrink-0 accent-primary"
            {...(onChange
              ? { checked: chosen === value, onChange: () => onChange(value) }
              : { defaultChecked: chosen === value })}
          />
          <div>
            <label
              htmlFor={`${name}-${value}`}
              className="font-medium before:absolute before:inset-0"
            >
              {label}
            </label>
            <p id={`${name}-${value}-hint`} className="text-sm text-muted">
              {hint}
            </p>
          </div>
        </div>
      ))}
      <FieldError id={name} error={error} />
    </fieldset>
  );
}
