import { useRef, useState } from "react";
import { Dialog } from "#app/ui/dialog.tsx";
import { noWord, TextField } from "#app/ui/text-field.tsx";

/** The one text a prompt asks for. */
export type TextWanted = {
  label: string;
  type: "email" | "url";
  value?: string;
  placeholder?: string;
  /** the error for an invalid text, null for a valid one */
  check: (text: string) => string | null;
};

type Props = {
  title: string;
  text?: string;
  ok?: string;
  cancel?: string;
  wanted: TextWanted;
  /** the text; null when it was cancelled */
  onAnswer: (answer: string | null) => void;
};

/** A dialog with one field: checked when OK is pressed, and again on every change after it. */
export function PromptDialog({ wanted, onAnswer, ...dialog }: Props) {
  const { label, type, value = "", placeholder, check } = wanted;
  const field = useRef<HTMLInputElement>(null);
  const written = useRef(value);
  const [problem, setProblem] = useState<string | null>(null);
  const [tried, setTried] = useState(false);

  function mayClose(): boolean {
    const found = check(written.current);
    setTried(true);
    setProblem(found);
    if (found !== null) field.current?.focus();
    return found === null;
  }

  return (
    <Dialog
      {...dialog}
      mayClose={mayClose}
      onClose={(ok) => onAnswer(ok ? written.current.trim() : null)}
    >
      <TextField
        ref={field}
        label={label}
        type={type}
        name="answer"
        {...noWord}
        inputMode={type}
        autoComplete={type}
        placeholder={placeholder}
        defaultValue={value}
        error={problem ?? undefined}
        onChange={(event) => {
          written.current = event.currentTarget.value;
          if (tried) setProblem(check(written.current));
        }}
      />
    </Dialog>
  );
}
