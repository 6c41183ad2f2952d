import { useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { countGraphemes } from "#shared/graphemes.ts";
import { cleanText } from "#shared/text.ts";
import * as words from "#messages/identity.json";
import { counted } from "#app/lib/text/messages.tsx";
import { describedBy, Field } from "#app/ui/field.tsx";

type TextAreaProps = Omit<ComponentProps<"textarea">, "id"> & {
  label: string;
  /** makes the label visible to screen readers only, where the placeholder says it */
  labelHidden?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  /** characters as people count them; the remaining number is shown when it gets low */
  limit?: number;
};

/** Several lines of text that grow with their content. */
export function TextArea({
  label,
  labelHidden = false,
  hint,
  error,
  optional,
  limit,
  className = "",
  onChange,
  ...textarea
}: TextAreaProps) {
  const id = useId();
  const initial = String(textarea.value ?? textarea.defaultValue ?? "");
  const [text, setText] = useState(initial);
  const element = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    const form = element.current?.form;
    const forget = () => setText(initial);
    form?.addEventListener("reset", forget);
    return () => form?.removeEventListener("reset", forget);
  }, [initial]);

  return (
    <Field
      id={id}
      label={<span className={labelHidden ? "sr-only" : ""}>{label}</span>}
      hint={hint}
      error={error}
      {...(optional ? { optional } : {})}
      aside={limit === undefined ? null : <Remaining text={text} limit={limit} />}
    >
      <textarea
        dir="auto"
        rows={3}
        {...textarea}
        ref={element}
        id={id}
        className={`input field-sizing-content max-h-[60vh] min-h-24 leading-relaxed ${error ? "input-error" : ""} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange?.(event);
        }}
      />
    </Field>
  );
}

/** Characters left, from a fifth of the limit on; aloud only when there are none. */
export function Remaining({ text, limit }: { text: string; limit: number }) {
  // A grapheme is one code unit at least, so short texts need no counting.
  if (text.length < limit * 0.8) return null;
  const left = limit - countGraphemes(cleanText(text), limit * 10);
  if (left > limit / 5) return null;
  return (
    <span
      role={left < 0 ? "alert" : undefined}
      className={left < 0 ? "font-medium text-danger" : "text-muted"}
    >
      {left < 0 ? counted(words.charactersTooMany, -left) : counted(words.charactersLeft, left)}
    </span>
  );
}
