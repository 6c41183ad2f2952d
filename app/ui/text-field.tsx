import { useId, type ComponentProps, type ReactNode } from "react";
import { describedBy, Field } from "#app/ui/field.tsx";

/** For what is no word of a language: usernames, codes, passwords. */
export const noWord = {
  dir: "ltr",
  autoCapitalize: "none",
  autoCorrect: "off",
  spellCheck: false,
} as const;

type TextFieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  /** inside the field's frame, after the text */
  after?: ReactNode;
};

/** One line of text. Aligns itself to the direction of its script. */
export function TextField({
  label,
  hint,
  error,
  optional,
  after,
  className = "",
  ...input
}: TextFieldProps) {
  const id = useId();
  const frame = `input ${error ? "input-error" : ""} ${className}`;
  const control = (
    <input
      dir="auto"
      {...input}
      id={id}
      className={after ? "grow" : frame}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy(id, { hint, error })}
    />
  );
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(optional ? { optional } : {})}>
      {after ? (
        <div className={`${frame} pe-0`}>
          {control}
          {after}
        </div>
      ) : (
        control
      )}
    </Field>
  );
}

/** An email address: by default the one for signing in. */
export function EmailField(props: Omit<TextFieldProps, "type">) {
  return (
    <TextField
      name="email"
      autoComplete="username"
      inputMode="email"
      dir="ltr"
      required
      {...props}
      type="email"
    />
  );
}
